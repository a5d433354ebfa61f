#pragma once
#include <cuda_runtime_api.h>

#include <atomic>

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

/// @return the handle by which find_stream() has the stream from now on.
cudaStream_t keep_stream(StreamPtr stream);
/// The program destroys the stream. @throws Failure cudaErrorInvalidResourceHandle.
void forget_stream(cudaStream_t handle);

/// What each stream's end is told to, of the program's or of a thread's own: captures, once there
/// has been one.
using StreamEnd = void (*)(const Stream&);
extern std::atomic<StreamEnd> stream_ends_as;

}  // namespace warpwise::cudart
