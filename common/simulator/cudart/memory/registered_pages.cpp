#include "simulator/cudart/memory/registered_pages.h"

#include <sys/mman.h>

#include <atomic>
#include <iterator>
#include <map>
#include <mutex>

#include "simulator/memory/pages.h"

namespace warpwise::cudart {
namespace {

struct Registered {
  std::size_t bytes;
  bool is_closed;  ///< now
};

struct Pages {
  std::mutex mutex;
  unsigned running = 0;                        ///< pieces of work
  std::map<std::uint64_t, Registered> ranges;  ///< to be closed while none runs, by the first page
  std::atomic<std::size_t> closed_count = 0;
};
Pages& pages() {
  static auto& all = *new Pages;
  return all;
}

/// With the mutex held.
void set_closed(std::uint64_t begin, Registered& range, bool is_closed) {
  if (range.is_closed == is_closed) return;
  mprotect(reinterpret_cast<void*>(begin), range.bytes,
           is_closed ? PROT_NONE : PROT_READ | PROT_WRITE);
  range.is_closed = is_closed;
  pages().closed_count += is_closed ? 1 : std::size_t(0) - 1;
}

void set_all_closed(bool are_closed) {
  for (auto& [begin, range] : pages().ranges) set_closed(begin, range, are_closed);
}

}  // namespace

void close_registered(const memory::Allocation& allocation) {
  // The pages at both ends may also hold other data.
  const std::uint64_t begin = memory::whole_pages(allocation.base);
  const std::uint64_t end = memory::page_start(allocation.end());
  if (begin >= end) return;
  const std::lock_guard lock(pages().mutex);
  Registered& range =
      pages().ranges.try_emplace(begin, Registered{end - begin, false}).first->second;
  // Single pages may have been opened.
  set_closed(begin, range, false);
  if (pages().running == 0) set_closed(begin, range, true);
}

void open_registered(std::uint64_t base) {
  const std::lock_guard lock(pages().mutex);
  const auto entry = pages().ranges.find(memory::whole_pages(base));
  if (entry == pages().ranges.end()) return;
  set_closed(entry->first, entry->second, false);
  pages().ranges.erase(entry);
}

bool has_closed_registered() { return pages().closed_count > 0; }

bool is_closed_registered(std::uint64_t address) {
  const std::lock_guard lock(pages().mutex);
  const auto& ranges = pages().ranges;
  const auto behind = ranges.upper_bound(address);
  if (behind == ranges.begin()) return false;
  const auto& [begin, range] = *std::prev(behind);
  return range.is_closed && address - begin < range.bytes;
}

OpenForDevice::OpenForDevice() {
  const std::lock_guard lock(pages().mutex);
  ++pages().running;
  set_all_closed(false);
}

OpenForDevice::~OpenForDevice() {
  const std::lock_guard lock(pages().mutex);
  if (--pages().running == 0) set_all_closed(true);
}

}  // namespace warpwise::cudart
