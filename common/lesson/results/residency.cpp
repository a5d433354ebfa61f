#include "lesson/results/residency.h"

#include <cuda_runtime_api.h>

#include <cstdint>

#include "lesson/device/error.h"
#include "occupancy/derivation.h"

namespace warpwise::lesson {
namespace {

/// Amounts that depend on the launch, in addition to the registers and static bytes that are known.
void derive(Residency& residency, const occupancy::Gpu& gpu, int threads, std::size_t bytes) {
  const occupancy::Derivation derivation = occupancy::derive(
      gpu, {residency.registers, static_cast<std::int64_t>(residency.static_shared_bytes),
            static_cast<std::int64_t>(bytes), threads});
  residency.blocks = derivation.occupancy.resident_blocks;
  residency.warps = derivation.occupancy.resident_warps;
  residency.fraction = derivation.occupancy.fraction;
  residency.limiters.clear();
  for (occupancy::Resource limiter : derivation.occupancy.limiters) {
    residency.limiters.emplace_back(occupancy::name_of(limiter));
  }
  residency.derivation = derivation.lines();
}

}  // namespace

Residency residency_of(const occupancy::Gpu& gpu, const void* kernel, const Shape& shape) {
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, kernel));
  Residency residency;
  residency.registers = attributes.numRegs;
  residency.registers_of = attributes.binaryVersion;
  residency.static_shared_bytes = attributes.sharedSizeBytes;
  residency.local_bytes = attributes.localSizeBytes;
  derive(residency, gpu, static_cast<int>(shape.block.x * shape.block.y * shape.block.z),
         shape.shared_bytes);
  return residency;
}

void show_launch_of_time(Rung& rung, const LadderResult& ladder, const occupancy::Gpu& limits,
                         const Size& ran) {
  Residency& residency = rung.residency;
  if (residency.derivation.empty()) return;
  const bool of_record = rung.recorded && ladder.timed_size && rung.recorded_grid[0] > 0;
  if (of_record) {
    const Index3& block = rung.recorded_block;
    derive(residency, limits, static_cast<int>(block[0] * block[1] * block[2]),
           rung.recorded_shared_bytes);
  }
  const Index3& grid = of_record ? rung.recorded_grid : rung.grid;
  const std::int64_t blocks = std::int64_t{grid[0]} * grid[1] * grid[2];
  residency.waves = occupancy::waves_sentence(limits, residency.blocks, blocks);
  residency.size = (of_record ? *ladder.timed_size : ran).text();
}

}  // namespace warpwise::lesson
