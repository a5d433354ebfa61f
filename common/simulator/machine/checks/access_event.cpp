// An access as the checks that watch see it.

#include "simulator/machine/runner_state.h"

namespace warpwise::machine {

watch::AccessEvent RunnerState::event_of(const code::Access& access, std::uint32_t mask,
                                         const std::uint64_t* addresses) const {
  watch::AccessEvent event;
  event.site = access.site;
  event.mask = mask;
  event.addresses = addresses;
  event.bytes = access.bytes();
  event.is_consecutive = false;
  event.is_shared = true;
  event.is_store = access.is_store;
  event.is_atomic = access.is_atomic;
  // An atomic looks again: a loop with both is right, though the optimistic read is weak.
  event.is_optimistic = access.optimistic_read != code::OptimisticRead::none && !access.is_strong();
  event.order = event.is_optimistic ? code::Order::relaxed : access.order;
  // mbarriers publish by themselves, phase by phase.
  if (code::is_of_mbarrier(access.atomic) && access.is_strong()) event.order = code::Order::relaxed;
  event.scope = access.scope;
  event.is_non_coherent = access.is_non_coherent;
  event.times = times_;
  return event;
}

}  // namespace warpwise::machine
