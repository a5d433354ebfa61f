#include "simulator/watch/seen_addresses.h"

#include <bit>

#include "simulator/isa/fast_loops.h"
#include "simulator/watch/lane_runs.h"

namespace warpwise::watch {

AddressShape SeenAddresses::look(const std::uint64_t* addresses, std::uint32_t mask, unsigned bytes,
                                 AddressShape::Pattern& latest) {
  if (misses_ == most_misses) {
    edges_ = mask;
    return AddressShape(addresses, mask, bytes);
  }
  const std::uint64_t first = addresses[std::countr_zero(mask)];
  if (mask == mask_ && bytes == bytes_ && are_seen(addresses, first)) {
    misses_ = 0;
    return shape_.moved_to(first);
  }
  ++misses_;
  mask_ = mask;
  bytes_ = bytes;
  remember(addresses);
  const std::uint32_t starts = run_starts(addresses, mask, bytes);
  const std::uint32_t ends = mask & (starts >> 1 | ~(mask >> 1));
  edges_ = starts | ends;
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

}  // namespace warpwise::watch
