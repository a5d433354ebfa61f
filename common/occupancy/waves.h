#pragma once
#include <cstdint>

#include "occupancy/gpu_table.h"

/// \file
/// Waves and the tail: how often a grid fills the GPU.
/// \ingroup occupancy
namespace warpwise::occupancy {

/// A wave is what the whole GPU holds at once. The picture is exact when all blocks take equally
/// long.
struct Waves {
  std::int64_t grid_blocks = 0;
  std::int64_t blocks_per_wave = 0;   ///< SMs * resident blocks.
  std::int64_t count = 0;             ///< the last, perhaps partial, wave included.
  std::int64_t last_wave_blocks = 0;  ///< 1 to blocks_per_wave.
  double last_wave_fill = 0;          ///< last_wave_blocks / blocks_per_wave: small is a long tail.
  int idle_sms = 0;                   ///< SMs that get no block because the grid has too few.
};

/// @param resident_blocks of one SM, from occupancy().
/// @param grid_blocks of all three dimensions, multiplied.
/// @return count 0 when nothing runs: an empty grid or a kernel that does not fit.
Waves waves(const Gpu& gpu, int resident_blocks, std::int64_t grid_blocks);

}  // namespace warpwise::occupancy
