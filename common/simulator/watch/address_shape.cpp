#include "simulator/watch/address_shape.h"

#include <algorithm>
#include <bit>

#include "simulator/isa/fast_loops.h"

namespace warpwise::watch {
namespace {

/// True where each lane of the mask lies at a number of steps from where lane 0 would.
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
  std::uint64_t lowest, highest;
};

WARPWISE_FAST_LOOPS Range range_of(const std::uint64_t* addresses, std::uint32_t mask,
                                   std::uint64_t any_of_them) {
  // Signed numbers are compared faster; no address has the highest bit.
  const auto any = static_cast<std::int64_t>(any_of_them);
  std::int64_t lowest = any, highest = any;
  for (unsigned lane = 0; lane < 32; ++lane) {
    const auto address = static_cast<std::int64_t>(addresses[lane]);
    const std::int64_t here = mask >> lane & 1 ? address : any;
    lowest = here < lowest ? here : lowest;
    highest = here > highest ? here : highest;
  }
  return {static_cast<std::uint64_t>(lowest), static_cast<std::uint64_t>(highest)};
}

}  // namespace

AddressShape::AddressShape(const AccessEvent& event) {
  const auto first = static_cast<unsigned>(std::countr_zero(event.mask));
  const auto last = static_cast<unsigned>(31 - std::countl_zero(event.mask));
  const std::uint64_t start = event.addresses[first], end = event.addresses[last];
  lowest = std::min(start, end);
  highest = std::max(start, end);
  is_regular = true;
  stride = event.bytes;
  if (event.is_consecutive && event.mask == ~0u) return;
  const std::uint32_t others = event.mask & (event.mask - 1);
  if (others == 0) {
    stride = 0;
    return;
  }
  const auto second = static_cast<unsigned>(std::countr_zero(others));
  stride = event.addresses[second] - start;
  if (second != first + 1)
    stride = static_cast<std::uint64_t>(static_cast<std::int64_t>(stride) /
                                        static_cast<int>(second - first));
  // Mostly the last lane tells.
  is_regular = end == start + stride * (last - first) &&
               are_apart(event.addresses, event.mask, stride, start - stride * first);
  if (is_regular) return;
  const Range range = range_of(event.addresses, event.mask, start);
  lowest = range.lowest;
  highest = range.highest;
}

}  // namespace warpwise::watch
