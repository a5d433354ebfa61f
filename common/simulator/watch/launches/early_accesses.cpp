#include "simulator/watch/launches/early_accesses.h"

#include <bit>
#include <utility>

namespace warpwise::watch {

void EarlyAccesses::wait(const HappensBefore& order, unsigned warp, std::uint32_t lanes) {
  waits_.push_back({warp, lanes, order.clock(warp)});
}

/// Lanes of the mask that have not passed a wait.
std::uint32_t EarlyAccesses::early_lanes(const HappensBefore& order, unsigned warp,
                                         std::uint32_t lanes) const {
  if (has_one_history_) return waits_.empty() ? lanes : 0;
  for (const Wait& wait : waits_) {
    if (wait.warp == warp) lanes &= ~wait.lanes;
    for (std::uint32_t left = wait.lanes; left != 0 && lanes != 0; left &= left - 1)
      lanes = order.unordered(warp, lanes, wait.warp, static_cast<unsigned>(std::countr_zero(left)),
                              wait.clock);
    if (lanes == 0) break;
  }
  return lanes;
}

void EarlyAccesses::access(const HappensBefore& order, unsigned warp, const AccessEvent& event,
                           const StoredValues& values, bool are_known) {
  recorder_.access(order.block(), warp, event, early_lanes(order, warp, event.mask), values,
                   are_known);
}

}  // namespace warpwise::watch
