#pragma once
#include <cuda_runtime_api.h>

#include <cstddef>

#include "simulator/cudart/launch/registry.h"
#include "simulator/cudart/launch/work.h"
#include "simulator/cudart/report/call_site.h"

namespace warpwise::cudart {

/// A launch as the program asks for it.
struct LaunchRequest {
  const void* function;  ///< host function or kernel handle.
  dim3 grid, block;
  void** arguments;  ///< one pointer per parameter.
  std::size_t shared_bytes;
  cudaStream_t stream;
  LaunchAttributes attributes = {};
};

/// Sets the place of the next kernel<<<>>> of this thread, because the compiler's code calls the
/// launch.
void set_configured_launch(CallSite place);

/// The request as work: finds the kernel and copies its arguments. @throws Failure.
KernelWork kernel_work(const LaunchRequest& request);

/// Checks the request as the real runtime does and issues it to its stream.
/// @throws Failure with the real runtime's code and a sentence that says which limit was passed.
void launch(const char* function, const LaunchRequest& request);

/// Threads that a block of the kernel may have: its launch bounds, the GPU's limit, its registers.
int most_threads_per_block(const machine::KernelInfo& info);

/// Blocks of the kernel that one SM holds at the same time; 0 where a block does not fit.
/// @throws Failure for a block without threads.
int resident_blocks(const FoundKernel& found, int threads, std::size_t dynamic_bytes);

/// The attributes that cudaFuncGetAttributes returns for the kernel.
cudaFuncAttributes function_attributes(const FoundKernel& found);

/// Blocks of a cluster in each dimension: from the launch, else from the kernel's compilation, else
/// 1. @throws Failure cudaErrorInvalidClusterSize where that is not possible.
dim3 cluster_of(const FoundKernel& found, const LaunchAttributes& attributes);

/// Blocks of a cluster that the kernel asks for, by cudaFuncSetAttribute or at compile time; all 0
/// where it does not.
const watch::Index3& required_cluster(const FoundKernel& found);

/// Bytes of dynamic shared memory that a launch of the kernel may ask for.
int most_dynamic_shared(const Kernel& kernel, const machine::KernelInfo& info);

}  // namespace warpwise::cudart
