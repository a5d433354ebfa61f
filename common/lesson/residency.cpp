#include "lesson/residency.h"

#include <cuda_runtime_api.h>

#include <cstdint>

#include "lesson/error.h"
#include "occupancy/derivation.h"

namespace warpwise::lesson {

Residency residency_of(const occupancy::Gpu& gpu, const void* kernel, const Shape& shape) {
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, kernel));
  const occupancy::Kernel needs{attributes.numRegs,
                                static_cast<std::int64_t>(attributes.sharedSizeBytes),
                                static_cast<std::int64_t>(shape.shared_bytes),
                                static_cast<int>(shape.block.x * shape.block.y * shape.block.z)};
  const occupancy::Derivation derivation = occupancy::derive(gpu, needs);
  Residency residency;
  residency.registers = attributes.numRegs;
  residency.registers_of = attributes.binaryVersion;
  residency.static_shared_bytes = attributes.sharedSizeBytes;
  residency.local_bytes = attributes.localSizeBytes;
  residency.blocks = derivation.occupancy.resident_blocks;
  residency.warps = derivation.occupancy.resident_warps;
  residency.fraction = derivation.occupancy.fraction;
  for (occupancy::Resource limiter : derivation.occupancy.limiters) {
    residency.limiters.emplace_back(occupancy::name_of(limiter));
  }
  residency.derivation = derivation.lines();
  return residency;
}

}  // namespace warpwise::lesson
