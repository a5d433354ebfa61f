#pragma once
#include <cuda_runtime_api.h>

#include <cstddef>

#include "simulator/cudart/work.h"

namespace warpwise::cudart {

/// When the function returns.
enum class Return {
  when_done,       ///< cudaMemcpy: except device to device, which no host waits for.
  when_host_free,  ///< cudaMemcpyAsync: at once, except where pageable memory makes it wait.
};

/// Checks the ranges and issues the copy to the stream.
/// @throws Failure cudaErrorInvalidValue, cudaErrorInvalidMemcpyDirection,
/// cudaErrorInvalidPitchValue.
void copy(const Copy& request, cudaStream_t stream, Return when);

/// The same for a fill. @throws Failure cudaErrorInvalidValue, cudaErrorInvalidPitchValue.
void fill(const Fill& request, cudaStream_t stream, Return when);

/// True where both copies go from the device or the host to the same as the other.
bool same_places(const Copy& a, const Copy& b);

}  // namespace warpwise::cudart
