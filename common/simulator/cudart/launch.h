#pragma once
#include <cuda_runtime_api.h>

#include <cstddef>

#include "simulator/cudart/registry.h"

namespace warpwise::cudart {

/// A launch as the program asks for it.
struct LaunchRequest {
  const void* function;  ///< host function or kernel handle.
  dim3 grid, block;
  void** arguments;  ///< one pointer per parameter.
  std::size_t shared_bytes;
  cudaStream_t stream;
};

/// Checks the request as the real runtime does and issues it to its stream.
/// @throws Failure with the real runtime's code and a sentence that says which limit was passed.
void launch(const LaunchRequest& request);

/// Threads that a block of the kernel may have: its launch bounds, the GPU's limit, its registers.
int most_threads_per_block(const machine::KernelInfo& info);

/// Bytes of dynamic shared memory that a launch of the kernel may ask for.
int most_dynamic_shared(const Kernel& kernel, const machine::KernelInfo& info);

}  // namespace warpwise::cudart
