#include "simulator/watch/lane_runs.h"

#include "simulator/isa/fast_loops.h"

namespace warpwise::watch {

WARPWISE_FAST_LOOPS std::uint32_t run_starts(const AccessEvent& event) {
  std::uint32_t apart = 1;
  for (unsigned lane = 1; lane < 32; ++lane)
    apart |=
        static_cast<std::uint32_t>(event.addresses[lane] != event.addresses[lane - 1] + event.bytes)
        << lane;
  return event.mask & (apart | ~(event.mask << 1));
}

}  // namespace warpwise::watch
