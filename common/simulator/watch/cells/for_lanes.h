#pragma once
#include <bit>
#include <concepts>

namespace warpwise::watch {

/// Calls visit(lane) for the lanes of a mask, lowest first; so for any set that is kept as bits.
template <std::unsigned_integral Mask, class Visit>
void for_lanes(Mask mask, Visit visit) {
  for (; mask; mask &= mask - 1) visit(static_cast<unsigned>(std::countr_zero(mask)));
}

}  // namespace warpwise::watch
