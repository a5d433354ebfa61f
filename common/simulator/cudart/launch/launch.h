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

}  // namespace warpwise::cudart
