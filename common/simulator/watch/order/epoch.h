#pragma once
#include <cstdint>

#include "simulator/watch/order/happens_before.h"

namespace warpwise::watch {

/// The epoch of an access: the clock of its warp, with what is known of its order then.
struct Epoch {
  std::uint64_t block;
  std::uint32_t clock;
  std::uint32_t whole_sync;    ///< of the warp
  std::uint32_t floor;         ///< what any warp of the block did up to this clock came before
  std::uint32_t common_floor;  ///< the same, and it comes before what any other warp does then

  bool operator==(const Epoch&) const = default;
  static Epoch now(const HappensBefore& order, unsigned warp) {
    return {order.block(), order.clock(warp), order.whole_sync(warp), order.floor(warp),
            order.common_floor()};
  }
};

}  // namespace warpwise::watch
