#include "simulator/cudart/pending_copies.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <vector>

#include "simulator/cudart/host_memory.h"
#include "simulator/cudart/runtime.h"
#include "simulator/memory/pages.h"

namespace warpwise::cudart {
namespace {

struct Closed {
  std::uint64_t begin, end;  ///< whole pages
  CopyDoes does;
  OperationPtr operation;
};

struct AllClosed {
  std::mutex mutex;
  std::vector<Closed> ranges;
};
AllClosed& all_closed() {
  static auto& all = *new AllClosed;
  return all;
}

bool overlap(const Closed& a, const Closed& b) { return a.begin < b.end && b.begin < a.end; }

void protect(const Closed& range, int access) {
  mprotect(reinterpret_cast<void*>(range.begin), range.end - range.begin, access);
}

/// Pages that copies write are closed; those that copies only read can still be read.
/// @param all of them.
void close(const Closed& range, const std::vector<Closed>& all) {
  if (range.does == CopyDoes::writes) return protect(range, PROT_NONE);
  protect(range, PROT_READ);
  for (const Closed& other : all)
    if (other.does == CopyDoes::writes && overlap(range, other)) protect(other, PROT_NONE);
}

/// The pages that nobody else has a part in: an allocation starts on a page and owns its last one.
/// @return an empty range where there are none.
Closed own_pages(const memory::Allocation& allocation, std::uint64_t begin, std::uint64_t end) {
  return {begin == allocation.base ? begin : memory::whole_pages(begin),
          end == allocation.end() ? memory::whole_pages(end) : memory::page_start(end),
          CopyDoes::reads,
          {}};
}

}  // namespace

void close_to_host(const void* memory, std::size_t bytes, CopyDoes does,
                   const OperationPtr& operation) {
  const std::uint64_t begin = address_of(memory);
  const memory::Allocation* allocation = runtime().memory.find(begin);
  if (operation == nullptr || allocation == nullptr ||
      (allocation->kind != memory::Kind::pinned && allocation->kind != memory::Kind::mapped))
    return;
  Closed range = own_pages(*allocation, begin, begin + bytes);
  if (range.begin >= range.end) return;
  range.does = does;
  range.operation = operation;
  const std::lock_guard lock(all_closed().mutex);
  all_closed().ranges.push_back(range);
  close(range, all_closed().ranges);
}

void close_again(std::uint64_t begin, std::uint64_t end) {
  begin = memory::page_start(begin);
  end = memory::whole_pages(end);
  const Closed opened = {begin, end, CopyDoes::reads, {}};
  const std::lock_guard lock(all_closed().mutex);
  for (const Closed& range : all_closed().ranges)
    if (overlap(range, opened))
      close({std::max(begin, range.begin), std::min(end, range.end), range.does, {}},
            all_closed().ranges);
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
  for (const Closed& range : opened) protect(range, PROT_READ | PROT_WRITE);
  for (const Closed& range : ranges)
    if (std::any_of(opened.begin(), opened.end(),
                    [&](const Closed& other) { return overlap(range, other); }))
      close(range, ranges);
}

}  // namespace warpwise::cudart
