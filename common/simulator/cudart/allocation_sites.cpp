#include "simulator/cudart/allocation_sites.h"

#include <mutex>
#include <unordered_map>
#include <utility>

namespace warpwise::cudart {
namespace {

struct Sites {
  std::mutex mutex;
  std::unordered_map<std::uint64_t, CallSite> of;
};

Sites& sites() {
  static auto& all = *new Sites;
  return all;
}

}  // namespace

void remember_allocation(std::uint64_t base) {
  CallSite here = call_site();
  const std::lock_guard lock(sites().mutex);
  sites().of[base] = std::move(here);
}

void forget_allocation(std::uint64_t base) {
  const std::lock_guard lock(sites().mutex);
  sites().of.erase(base);
}

CallSite allocation_site(std::uint64_t base) {
  const std::lock_guard lock(sites().mutex);
  const auto found = sites().of.find(base);
  return found == sites().of.end() ? CallSite() : found->second;
}

}  // namespace warpwise::cudart
