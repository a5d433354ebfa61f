#pragma once
#include <cuda_runtime_api.h>

#include <cstddef>

#include "base/algorithm.h"
#include "lesson/device/error.h"

/// \file
/// The brake: how many blocks an SM may hold, set from outside the kernel.

inline int attribute(cudaDeviceAttr which) {
  int value = 0;
  warpwise::lesson::check(cudaDeviceGetAttribute(&value, which, 0));
  return value;
}

/// Warps that an SM holds at most.
inline int most_warps() { return attribute(cudaDevAttrMaxThreadsPerMultiProcessor) / 32; }

inline int multiprocessors() { return attribute(cudaDevAttrMultiProcessorCount); }

/// Dynamic shared memory with which `blocks` fit on an SM and one more does not, as long as nothing
/// else limits them sooner. The block that needs all of it gets what a block may have.
inline std::size_t brake_bytes(int blocks) {
  constexpr int unit = 128;
  const int reserved = attribute(cudaDevAttrReservedSharedMemoryPerBlock);
  const int share = attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor) / blocks - reserved;
  const int most = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  return static_cast<std::size_t>(std::min(share, most) / unit * unit);
}
