#pragma once
#include <cuda_runtime_api.h>

#include "simulator/cudart/queue/queue.h"

namespace warpwise::cudart {

/// The stream of a handle: the default streams, or one that was created.
/// @throws Failure cudaErrorInvalidResourceHandle.
StreamPtr find_stream(cudaStream_t handle);

/// For a launch that is written as @p function: reports a stream of another device than the current
/// one. The programming guide says that such a launch fails. Two H200 with CUDA 13.0 ran it on the
/// stream's device (answers/), and so does the simulator.
void report_other_device(const Stream& stream, const char* function);

/// The same for functions of programs built with --default-stream per-thread, for which the null
/// stream is the calling thread's own.
inline cudaStream_t own(cudaStream_t stream) {
  return stream == nullptr ? cudaStreamPerThread : stream;
}

/// Waits for all that was issued to the stream, then does what after_wait() does.
void synchronize(const StreamPtr& stream);

}  // namespace warpwise::cudart
