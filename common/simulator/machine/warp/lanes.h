#pragma once
#include <bit>
#include <cstdint>

#include "simulator/watch/cells/for_lanes.h"

namespace warpwise::machine {

constexpr std::uint32_t all_lanes = ~0u;

using watch::for_lanes;

/// True where so few lanes take part that one after another is faster than all at once.
constexpr bool are_few(std::uint32_t mask) {
  constexpr int few = 8;
  return std::popcount(mask) <= few;
}

/// Calls visit(lane) for the lanes of a mask, and for others too where all at once are faster:
/// their results are not looked at.
template <class Visit>
inline void for_lanes_at_least(std::uint32_t mask, Visit visit) {
  if (are_few(mask))
    for_lanes(mask, visit);
  else
    for (unsigned lane = 0; lane < 32; ++lane) visit(lane);
}

}  // namespace warpwise::machine
