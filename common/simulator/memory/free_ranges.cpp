#include "simulator/memory/free_ranges.h"

#include <algorithm>
#include <iterator>

namespace warpwise::memory {

void FreeRanges::start(std::uint64_t begin, std::uint64_t front, std::uint64_t bytes) {
  free_[begin + front] = bytes - front;
  begin_ = cursor_ = begin;
}

std::uint64_t FreeRanges::take(std::uint64_t bytes, std::uint64_t alignment) {
  const std::uint64_t cursor_before = cursor_;
  for (const std::uint64_t from : {cursor_, begin_}) {
    auto range = free_.upper_bound(from);
    if (range != free_.begin()) --range;
    for (; range != free_.end(); ++range) {
      const std::uint64_t range_end = range->first + range->second;
      const std::uint64_t start =
          (std::max(range->first, from) + alignment - 1) / alignment * alignment;
      if (start >= range_end || range_end - start < bytes) continue;
      range->second = start - range->first;
      if (range->second == 0) free_.erase(range);
      if (start + bytes < range_end) free_[start + bytes] = range_end - start - bytes;
      cursor_ = start + bytes;
      laps_ += from != cursor_before;
      return start;
    }
  }
  return 0;
}

void FreeRanges::give_back(std::uint64_t start, std::uint64_t bytes) {
  auto range = free_.emplace(start, bytes).first;
  const auto next = std::next(range);
  if (next != free_.end() && range->first + range->second == next->first) {
    range->second += next->second;
    free_.erase(next);
  }
  if (range == free_.begin()) return;
  const auto before = std::prev(range);
  if (before->first + before->second == range->first) {
    before->second += range->second;
    free_.erase(range);
  }
}

}  // namespace warpwise::memory
