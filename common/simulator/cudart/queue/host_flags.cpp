#include "simulator/cudart/queue/host_flags.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <list>
#include <map>
#include <mutex>

namespace warpwise::cudart {
namespace {

constexpr std::size_t page_bytes = 2 << 20, largest_shared = 1 << 20, unit = 512;

/// 2 MiB from the driver, which small allocations fill one after the other.
struct Page {
  unsigned flags;
  std::map<std::size_t, std::size_t> taken;  ///< bytes, by where they begin

  /// The first place where `bytes` bytes fit; page_bytes where they do not.
  std::size_t room_for(std::size_t bytes) const {
    std::size_t at = 0;
    for (const auto& [begin, length] : taken) {
      if (begin - at >= bytes) return at;
      at = begin + length;
    }
    return page_bytes - at >= bytes ? at : page_bytes;
  }
};

struct Place {
  unsigned flags;  ///< that the query returns; of a shared page, the page's
  Page* page = nullptr;
  std::size_t at = 0;
};

struct HostFlags {
  std::mutex mutex;
  std::list<Page> pages;
  std::map<std::uint64_t, Place> places;
};
HostFlags& host_flags() {
  static auto& one = *new HostFlags;
  return one;
}

/// With unified addresses all page-locked memory is mapped.
unsigned reported(unsigned flags) { return flags | cudaHostAllocMapped; }

Place place_for(std::size_t bytes, unsigned flags) {
  const auto fits = [&](const Page& page) {
    return ((page.flags ^ flags) & cudaHostAllocWriteCombined) == 0 &&
           page.room_for(bytes) < page_bytes;
  };
  auto page = std::find_if(host_flags().pages.begin(), host_flags().pages.end(), fits);
  if (page == host_flags().pages.end())
    page = host_flags().pages.insert(page, {reported(flags), {}});
  const std::size_t at = page->room_for(bytes);
  page->taken[at] = bytes;
  return {page->flags, &*page, at};
}

}  // namespace

void remember_flags_of_allocation(std::uint64_t base, std::size_t bytes, unsigned flags) {
  const std::lock_guard lock(host_flags().mutex);
  host_flags().places[base] = bytes > largest_shared
                                  ? Place{reported(flags)}
                                  : place_for((bytes + unit - 1) / unit * unit, flags);
}

void remember_flags_of_registered(std::uint64_t base, unsigned flags) {
  const std::lock_guard lock(host_flags().mutex);
  // The query does not return that the device only reads the memory.
  host_flags().places[base] = {reported(flags & cudaHostRegisterPortable)};
}

void forget_flags(std::uint64_t base) {
  const std::lock_guard lock(host_flags().mutex);
  const auto gone = host_flags().places.find(base);
  if (gone == host_flags().places.end()) return;
  if (Page* page = gone->second.page; page != nullptr) {
    page->taken.erase(gone->second.at);
    if (page->taken.empty())
      host_flags().pages.remove_if([&](const Page& one) { return &one == page; });
  }
  host_flags().places.erase(gone);
}

void forget_all_flags() {
  const std::lock_guard lock(host_flags().mutex);
  host_flags().places.clear();
  host_flags().pages.clear();
}

unsigned flags_of(std::uint64_t base) {
  const std::lock_guard lock(host_flags().mutex);
  const auto place = host_flags().places.find(base);
  return place == host_flags().places.end() ? 0 : place->second.flags;
}

}  // namespace warpwise::cudart
