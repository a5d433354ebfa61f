#pragma once
#include <bit>
#include <cstdint>

namespace warpwise::machine {

constexpr std::uint32_t all_lanes = ~0u;

/// Calls visit(lane) for the lanes of a mask, lowest first.
template <class Visit>
void for_lanes(std::uint32_t mask, Visit visit) {
  for (; mask; mask &= mask - 1) visit(static_cast<unsigned>(std::countr_zero(mask)));
}

}  // namespace warpwise::machine
