#include "simulator/watch/launches/seen_addresses.h"

#include <bit>

#include "simulator/isa/fast_loops.h"
#include "simulator/watch/cells/small_index.h"

namespace warpwise::watch {
namespace {

constexpr unsigned line_bytes = 64;  ///< of this machine

}  // namespace

AddressShape SeenAddresses::look(const std::uint64_t* addresses, std::uint32_t mask, unsigned bytes,
                                 AddressShape::Pattern& latest) {
  if (misses_ == most_misses) {
    outline_ = mask;
    together_ = 1;
    stays_ = false;
    step_ = 0;
    return AddressShape(addresses, mask, bytes);
  }
  const std::uint64_t first = addresses[std::countr_zero(mask)];
  if (mask == mask_ && bytes == bytes_ && are_seen(addresses, first)) {
    misses_ = 0;
    step_ = first - latest_;
    stays_ = (first ^ latest_) < line_bytes;
    latest_ = first;
    return shape_.moved_to(first);
  }
  ++misses_;
  step_ = 0;
  stays_ = false;
  latest_ = first;
  mask_ = mask;
  bytes_ = bytes;
  remember(addresses);
  outline_ = 0;
  together_ = 0;
  shape_ = AddressShape(addresses, mask, bytes);
  shape_.pattern = ++latest;
  return shape_;
}

WARPWISE_FAST_LOOPS bool SeenAddresses::are_seen(const std::uint64_t* addresses,
                                                 std::uint64_t first) const {
  std::uint64_t difference = 0;
  if (mask_ == ~0u)
    for (unsigned lane = 0; lane < 32; ++lane)
      difference |= (addresses[lane] - first) ^ distances_[lane];
  else
    for (unsigned lane = 0; lane < 32; ++lane)
      difference |=
          ((addresses[lane] - first) ^ distances_[lane]) & (0 - std::uint64_t{mask_ >> lane & 1});
  return difference == 0;
}

WARPWISE_FAST_LOOPS void SeenAddresses::remember(const std::uint64_t* addresses) {
  const std::uint64_t first = addresses[std::countr_zero(mask_)];
  for (unsigned lane = 0; lane < 32; ++lane)
    distances_[lane] = mask_ >> lane & 1 ? addresses[lane] - first : 0;
}

/// One lane of each half line: moved elsewhere, these are in all lines, or next to them.
void SeenAddresses::find_outline(const std::uint64_t* addresses) {
  constexpr unsigned half_line = line_bytes / 2;
  SmallIndex<64> seen;
  for (std::uint32_t left = mask_; left; left &= left - 1) {
    const unsigned before = seen.size();
    seen.at(addresses[std::countr_zero(left)] / half_line);
    if (seen.size() != before) outline_ |= left & (0 - left);
  }
}

void SeenAddresses::find_together() {
  together_ = 1;
  if (mask_ != ~0u) return;
  std::uint32_t behind = 0;  // the lane before
  for (unsigned lane = 1; lane < 32; ++lane)
    behind |= static_cast<std::uint32_t>(distances_[lane] == distances_[lane - 1] + bytes_) << lane;
  constexpr std::uint32_t not_first[] = {0xaaaaaaaa, 0xeeeeeeee, 0xfefefefe, 0xfffefffe};
  for (const std::uint32_t lanes : not_first)
    if ((behind & lanes) == lanes) together_ *= 2;
}

}  // namespace warpwise::watch
