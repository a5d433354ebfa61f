#pragma once
#include <bit>
#include <cstdint>
#include <vector>

#include "simulator/watch/cells/access_event.h"
#include "simulator/watch/order/happens_before.h"

namespace warpwise::watch {

/// Tells whether warps may have updated a word of a block's shared memory at the same time: a loop
/// that swaps must then try again, and how often depends on which lane comes first.
class MeetingUpdates {
 public:
  /// @param order of the block's threads; lives longer.
  MeetingUpdates(const HappensBefore& order, std::uint32_t base, std::uint32_t bytes)
      : order_(&order), base_(base), words_(bytes / 4 + 1) {}

  /// Remembers an update. @return true where another warp's last update of one of the words does
  /// not come before it.
  bool add(unsigned warp, const AccessEvent& event) {
    bool may_meet = false;
    for (std::uint32_t rest = event.mask; rest; rest &= rest - 1) {
      Update& last = words_[(event.addresses[std::countr_zero(rest)] - base_) / 4];
      may_meet |= last.warp != warp && last.clock > order_->floor(warp) &&
                  last.clock > order_->known(warp)[last.warp];
      last = {warp, order_->clock(warp)};
    }
    return may_meet;
  }

 private:
  struct Update {
    std::uint32_t warp = 0;
    std::uint32_t clock = 0;  ///< of the warp; 0: none
  };
  const HappensBefore* order_;
  std::uint32_t base_;
  std::vector<Update> words_;
};

}  // namespace warpwise::watch
