#include "simulator/cudart/memory/allocation_sites.h"

#include <deque>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace warpwise::cudart {
namespace {

/// Programs may allocate and free without end.
constexpr std::size_t most_frees = 4096;

using SiteMap = std::unordered_map<std::uint64_t, CallSite>;

struct Sites {
  std::mutex mutex;
  SiteMap allocated, freed;
  std::deque<std::uint64_t> frees;  ///< the keys of `freed`, the oldest first.
};

Sites& sites() {
  static auto& all = *new Sites;
  return all;
}

CallSite site_in(const SiteMap& map, std::uint64_t base) {
  const std::lock_guard lock(sites().mutex);
  const auto found = map.find(base);
  return found == map.end() ? CallSite() : found->second;
}

}  // namespace

void remember_allocation(std::uint64_t base) {
  CallSite here = call_site();
  const std::lock_guard lock(sites().mutex);
  sites().allocated[base] = std::move(here);
}

void remember_free(std::uint64_t base, bool comes_back) {
  CallSite here = call_site();
  Sites& all = sites();
  const std::lock_guard lock(all.mutex);
  if (!comes_back) all.allocated.erase(base);
  if (!all.freed.contains(base)) all.frees.push_back(base);
  all.freed[base] = std::move(here);
  if (all.frees.size() <= most_frees) return;
  all.freed.erase(all.frees.front());
  all.frees.pop_front();
}

CallSite allocation_site(std::uint64_t base) { return site_in(sites().allocated, base); }

CallSite free_site(std::uint64_t base) { return site_in(sites().freed, base); }

}  // namespace warpwise::cudart
