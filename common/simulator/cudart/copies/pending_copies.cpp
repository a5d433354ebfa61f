#include "simulator/cudart/copies/pending_copies.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <vector>

#include "simulator/cudart/memory/host_memory.h"
#include "simulator/cudart/memory/registered_pages.h"
#include "simulator/cudart/runtime.h"
#include "simulator/memory/pages.h"

namespace warpwise::cudart {
namespace {

struct Closed {
  std::uint64_t begin, end;
  CopyDoes does;
  OperationPtr operation;
  std::uint64_t first_own, end_own;  ///< pages in which there is nothing else; may be none
  /// The start of the memory if the program has registered it. Such memory is closed as a whole, by
  /// registered_pages.h. 0: other memory.
  std::uint64_t registered;

  std::uint64_t first_page() const { return memory::page_start(begin); }
  std::uint64_t end_of_pages() const { return memory::whole_pages(end); }
};

struct AllClosed {
  std::mutex mutex;
  std::vector<Closed> ranges;
};
AllClosed& all_closed() {
  static auto& all = *new AllClosed;
  return all;
}

/// True where the two have a page in common.
bool meet(const Closed& a, const Closed& b) {
  return a.first_page() < b.end_of_pages() && b.first_page() < a.end_of_pages();
}

void protect(std::uint64_t begin, std::uint64_t end, int access) {
  if (begin < end) mprotect(reinterpret_cast<void*>(begin), end - begin, access);
}

/// Pages that copies write are closed; those that copies only read can still be read. Other data in
/// a page at an end of the copy is opened when the host accesses it.
/// @param all of them.
void close(const Closed& range, const std::vector<Closed>& all) {
  if (range.registered != 0) return;
  const std::uint64_t first = range.first_page(), end = range.end_of_pages();
  if (range.does == CopyDoes::writes) return protect(first, end, PROT_NONE);
  protect(first, end, PROT_READ);
  for (const Closed& other : all)
    if (other.does == CopyDoes::writes && other.registered == 0)
      protect(std::max(first, other.first_page()), std::min(end, other.end_of_pages()), PROT_NONE);
}

}  // namespace

void close_to_host(const void* memory, std::size_t bytes, CopyDoes does,
                   const OperationPtr& operation) {
  const std::uint64_t begin = address_of(memory), end = begin + bytes;
  const memory::Allocation* allocation = runtime().memory.find(begin);
  if (operation == nullptr || allocation == nullptr || bytes == 0 ||
      !memory::is_host_memory(allocation->kind))
    return;
  Closed range = {begin, end, does, operation, 0, 0, 0};
  if (allocation->kind == memory::Kind::registered) {
    range.registered = allocation->base;
  } else {
    // An allocation starts on a page and owns its last one.
    range.first_own = begin == allocation->base ? begin : memory::whole_pages(begin);
    range.end_own = end == allocation->end() ? memory::whole_pages(end) : memory::page_start(end);
  }
  const std::lock_guard lock(all_closed().mutex);
  all_closed().ranges.push_back(range);
  close(range, all_closed().ranges);
  if (range.registered != 0) close_registered(*allocation);
}

void close_again(std::uint64_t begin, std::uint64_t end) {
  begin = memory::page_start(begin);
  end = memory::whole_pages(end);
  const std::lock_guard lock(all_closed().mutex);
  for (const CopyDoes does : {CopyDoes::reads, CopyDoes::writes})
    for (const Closed& range : all_closed().ranges)
      if (range.does == does)
        protect(std::max(begin, range.first_own), std::min(end, range.end_own),
                does == CopyDoes::writes ? PROT_NONE : PROT_READ);
}

std::optional<std::uint64_t> byte_of_pending_copy(std::uint64_t begin, std::uint64_t end,
                                                  bool wrote) {
  const std::lock_guard lock(all_closed().mutex);
  std::optional<std::uint64_t> first;
  for (const Closed& range : all_closed().ranges) {
    const bool meets = range.begin < end && begin < range.end;
    if (!meets || (range.does == CopyDoes::reads && !wrote)) continue;
    first = std::min(first.value_or(end), std::max(begin, range.begin));
  }
  return first;
}

void open_after_copies() {
  std::vector<Closed>& ranges = all_closed().ranges;
  const std::lock_guard lock(all_closed().mutex);
  const auto done = std::partition(ranges.begin(), ranges.end(), [](const Closed& range) {
    return !runtime().queue.is_done(range.operation);
  });
  const std::vector<Closed> opened(done, ranges.end());
  ranges.erase(done, ranges.end());
  for (const Closed& range : opened)
    if (range.registered != 0)
      open_registered(range.registered);
    else
      protect(range.first_page(), range.end_of_pages(), PROT_READ | PROT_WRITE);
  for (const Closed& range : ranges)
    if (std::any_of(opened.begin(), opened.end(),
                    [&](const Closed& other) { return meet(range, other); }))
      close(range, ranges);
}

}  // namespace warpwise::cudart
