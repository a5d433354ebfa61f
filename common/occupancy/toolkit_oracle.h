#pragma once
#include <cuda_occupancy.h>

#include "occupancy/occupancy.h"

/// \file
/// The toolkit's own occupancy calculator, asked in this folder's terms. For tests only.
/// \ingroup occupancy
namespace warpwise::occupancy {

/// The answer of cuda_occupancy.h; all zero where it refuses the question.
struct ToolkitAnswer {
  bool answered = false;
  std::array<int, resource_count> blocks{};  ///< indexed by Resource.
  int resident_blocks = 0;
  std::int64_t registers_per_block = 0;  ///< allocated.
  std::int64_t shared_bytes_per_block = 0;
};

inline cudaOccDeviceProp toolkit_properties(const Gpu& gpu) {
  cudaOccDeviceProp properties;
  properties.computeMajor = gpu.compute_capability / 10;
  properties.computeMinor = gpu.compute_capability % 10;
  properties.maxThreadsPerBlock = gpu.threads_per_block;
  properties.maxThreadsPerMultiprocessor = gpu.threads_per_sm;
  properties.regsPerBlock = gpu.registers_per_block;
  properties.regsPerMultiprocessor = gpu.registers_per_sm;
  properties.warpSize = warp_size;
  properties.sharedMemPerBlock = static_cast<std::size_t>(gpu.shared_bytes_per_block);
  properties.sharedMemPerMultiprocessor = static_cast<std::size_t>(gpu.shared_bytes_per_sm);
  properties.numSms = gpu.sms;
  properties.sharedMemPerBlockOptin = static_cast<std::size_t>(gpu.shared_bytes_per_block_max);
  properties.reservedSharedMemPerBlock = static_cast<std::size_t>(gpu.shared_reserved_per_block);
  return properties;
}

/// Amounts stay in the range where the header's int arithmetic does not overflow: the caller's
/// care.
inline ToolkitAnswer ask_toolkit(const Gpu& gpu, const Kernel& kernel) {
  const cudaOccDeviceProp properties = toolkit_properties(gpu);
  cudaOccFuncAttributes attributes;
  attributes.maxThreadsPerBlock = INT_MAX;
  attributes.numRegs = kernel.registers_per_thread;
  attributes.sharedSizeBytes = static_cast<std::size_t>(kernel.static_shared_bytes);
  attributes.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  attributes.maxDynamicSharedSizeBytes = static_cast<std::size_t>(kernel.dynamic_shared_bytes);
  attributes.numBlockBarriers = 1;
  const cudaOccDeviceState state;
  cudaOccResult result{};
  const cudaOccError status = cudaOccMaxActiveBlocksPerMultiprocessor(
      &result, &properties, &attributes, &state, kernel.threads_per_block,
      static_cast<std::size_t>(kernel.dynamic_shared_bytes));
  if (status != CUDA_OCC_SUCCESS) return {};
  return {.answered = true,
          .blocks = {result.blockLimitRegs, result.blockLimitSharedMem, result.blockLimitWarps,
                     result.blockLimitBlocks},
          .resident_blocks = result.activeBlocksPerMultiprocessor,
          .registers_per_block = result.allocatedRegistersPerBlock,
          .shared_bytes_per_block = static_cast<std::int64_t>(result.allocatedSharedMemPerBlock)};
}

}  // namespace warpwise::occupancy
