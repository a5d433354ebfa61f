#include "report/footprint.h"

#include <cstdint>

#include "occupancy/occupancy.h"

namespace warpwise::report {

std::optional<Footprint> footprint_of(const occupancy::Gpu& gpu, const LaunchReport& launch) {
  if (launch.registers == 0) return std::nullopt;
  const unsigned threads = launch.block[0] * launch.block[1] * launch.block[2];
  const occupancy::Occupancy held = occupancy::occupancy(
      gpu, {.registers_per_thread = static_cast<int>(launch.registers),
            .static_shared_bytes = static_cast<std::int64_t>(launch.static_shared_bytes),
            .dynamic_shared_bytes = static_cast<std::int64_t>(launch.dynamic_shared_bytes),
            .threads_per_block = static_cast<int>(threads)});
  Footprint footprint{.gpu = std::string(gpu.name),
                      .registers = static_cast<int>(launch.registers),
                      .static_shared_bytes = launch.static_shared_bytes,
                      .dynamic_shared_bytes = launch.dynamic_shared_bytes,
                      .threads = static_cast<int>(threads),
                      .blocks = held.resident_blocks,
                      .warps = held.resident_warps,
                      .most_warps = held.warps_per_sm,
                      .limiters = {}};
  for (const occupancy::Resource limiter : held.limiters) {
    footprint.limiters.emplace_back(occupancy::name_of(limiter));
  }
  return footprint;
}

}  // namespace warpwise::report
