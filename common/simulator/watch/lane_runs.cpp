#include "simulator/watch/lane_runs.h"

#include "simulator/isa/fast_loops.h"

namespace warpwise::watch {

WARPWISE_FAST_LOOPS std::uint32_t run_starts(const std::uint64_t* addresses, std::uint32_t mask,
                                             unsigned bytes) {
  std::uint32_t apart = 1;
  for (unsigned lane = 1; lane < 32; ++lane)
    apart |= static_cast<std::uint32_t>(addresses[lane] != addresses[lane - 1] + bytes) << lane;
  return mask & (apart | ~(mask << 1));
}

}  // namespace warpwise::watch
