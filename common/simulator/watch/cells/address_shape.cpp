#include "simulator/watch/cells/address_shape.h"

#include <algorithm>
#include <bit>

#include "simulator/isa/fast_loops.h"

namespace warpwise::watch {
namespace {

/// Steps from lane to lane, up or down, whose sums do not go around all numbers.
constexpr std::uint64_t longest_step = std::uint64_t{1} << 48;

/// True where each lane of the mask is at a number of steps from where lane 0 would be.
WARPWISE_FAST_LOOPS bool are_apart(const std::uint64_t* addresses, std::uint32_t mask,
                                   std::uint64_t stride, std::uint64_t lane0) {
  std::uint64_t difference = 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    const std::uint64_t takes_part = 0 - std::uint64_t{mask >> lane & 1};
    difference |= (addresses[lane] ^ (lane0 + stride * lane)) & takes_part;
  }
  return difference == 0;
}

struct Range {
  std::uint64_t lowest, highest, apart;
};

WARPWISE_FAST_LOOPS Range range_of(const std::uint64_t* addresses, std::uint32_t mask,
                                   std::uint64_t first) {
  // Signed numbers are compared faster.
  std::int64_t lowest = 0, highest = 0, apart = 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    const auto distance = static_cast<std::int64_t>(addresses[lane] - first);
    const std::int64_t here = mask >> lane & 1 ? distance : 0;
    lowest = here < lowest ? here : lowest;
    highest = here > highest ? here : highest;
    apart |= here;
  }
  return {first + static_cast<std::uint64_t>(lowest), first + static_cast<std::uint64_t>(highest),
          static_cast<std::uint64_t>(apart)};
}

}  // namespace

AddressShape::AddressShape(const AccessEvent& event) {
  if (!event.is_consecutive || event.mask != ~0u) {
    *this = AddressShape(event.addresses, event.mask, event.bytes);
    return;
  }
  first = lowest = event.addresses[0];
  highest = event.addresses[31];
  is_regular = is_consecutive = true;
  stride = apart = event.bytes;
}

AddressShape::AddressShape(const std::uint64_t* addresses, std::uint32_t mask, unsigned bytes) {
  const auto first_lane = static_cast<unsigned>(std::countr_zero(mask));
  const auto last_lane = static_cast<unsigned>(31 - std::countl_zero(mask));
  const std::uint64_t last = addresses[last_lane];
  first = addresses[first_lane];
  lowest = std::min(first, last);
  highest = std::max(first, last);
  is_regular = true;
  is_consecutive = false;
  stride = apart = 0;
  const std::uint32_t others = mask & (mask - 1);
  if (others == 0) return;
  const auto second_lane = static_cast<unsigned>(std::countr_zero(others));
  stride = addresses[second_lane] - first;
  if (second_lane != first_lane + 1)
    stride = static_cast<std::uint64_t>(static_cast<std::int64_t>(stride) /
                                        static_cast<int>(second_lane - first_lane));
  // Mostly the last lane tells.
  is_regular = last == first + stride * (last_lane - first_lane) &&
               stride + longest_step <= 2 * longest_step &&
               are_apart(addresses, mask, stride, first - stride * first_lane);
  is_consecutive = is_regular && mask == ~0u && stride == bytes;
  apart = stride;
  if (is_regular) return;
  const Range range = range_of(addresses, mask, first);
  lowest = range.lowest;
  highest = range.highest;
  apart = range.apart;
}

}  // namespace warpwise::watch
