#pragma once
#include <cuda_runtime_api.h>

#include "simulator/cudart/queue/queue.h"

namespace warpwise::cudart {

/// The stream of a handle: the default streams, or one that was created.
/// @throws Failure cudaErrorInvalidResourceHandle.
StreamPtr find_stream(cudaStream_t handle);

/// The same for a launch, which takes a stream of the current device only; the code is recorded for
/// no hardware. @throws Failure cudaErrorInvalidResourceHandle.
StreamPtr stream_here(cudaStream_t handle);

/// The same for functions of programs built with --default-stream per-thread, for which the null
/// stream is the calling thread's own.
inline cudaStream_t own(cudaStream_t stream) {
  return stream == nullptr ? cudaStreamPerThread : stream;
}

/// Waits for all that was issued to the stream, then does what after_wait() does.
void synchronize(const StreamPtr& stream);

}  // namespace warpwise::cudart
