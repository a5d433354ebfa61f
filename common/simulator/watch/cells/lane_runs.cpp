#include "simulator/watch/cells/lane_runs.h"

#include <algorithm>

#include "simulator/isa/fast_loops.h"

namespace warpwise::watch {

WARPWISE_FAST_LOOPS std::uint32_t run_starts(const AccessEvent& event) {
  // Mostly no lane starts there, which is known at once.
  std::uint64_t before[32] = {event.addresses[0]};
  std::copy(event.addresses, event.addresses + 31, before + 1);
  std::uint64_t behind = 0;
  for (unsigned lane = 0; lane < 32; ++lane)
    behind |= event.addresses[lane] - before[lane] == event.bytes ? ~0ull : 0ull;
  if (!behind) return event.mask;
  std::uint32_t apart = 1;
  for (unsigned lane = 1; lane < 32; ++lane)
    apart |=
        static_cast<std::uint32_t>(event.addresses[lane] != event.addresses[lane - 1] + event.bytes)
        << lane;
  return event.mask & (apart | ~(event.mask << 1));
}

}  // namespace warpwise::watch
