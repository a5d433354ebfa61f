#include "occupancy/waves.h"

namespace warpwise::occupancy {

Waves waves(const Gpu& gpu, int resident_blocks, std::int64_t grid_blocks) {
  Waves result;
  result.grid_blocks = grid_blocks;
  if (resident_blocks <= 0 || gpu.sms <= 0) return result;
  result.blocks_per_wave = std::int64_t{gpu.sms} * resident_blocks;
  if (grid_blocks <= 0) return result;
  const std::int64_t full_before_last = (grid_blocks - 1) / result.blocks_per_wave;
  result.count = full_before_last + 1;
  result.last_wave_blocks = grid_blocks - full_before_last * result.blocks_per_wave;
  result.last_wave_fill =
      static_cast<double>(result.last_wave_blocks) / static_cast<double>(result.blocks_per_wave);
  if (grid_blocks < gpu.sms) result.idle_sms = gpu.sms - static_cast<int>(grid_blocks);
  return result;
}

}  // namespace warpwise::occupancy
