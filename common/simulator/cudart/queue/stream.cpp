#include "simulator/cudart/queue/stream.h"

#include <fmt/format.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "simulator/cudart/device/per_device.h"
#include "simulator/cudart/report/failure.h"
#include "simulator/cudart/runtime.h"

namespace warpwise::cudart {
namespace {

std::mutex streams_mutex;

std::map<cudaStream_t, StreamPtr>& streams() {
  static auto& all = *new std::map<cudaStream_t, StreamPtr>;
  return all;
}

/// One per host thread and device, gone with the thread.
struct PerThread {
  StreamPtr stream = runtime().queue.create_stream(true, cudaStreamDefault, 0);
  PerThread() = default;
  PerThread(const PerThread&) = delete;
  PerThread& operator=(const PerThread&) = delete;
  ~PerThread() {
    stream_ends_as.load()(*stream);
    runtime().queue.forget_stream(stream);
  }
};

}  // namespace

std::atomic<StreamEnd> stream_ends_as{[](const Stream&) {}};

StreamPtr stream_here(cudaStream_t handle) {
  StreamPtr stream = find_stream(handle);
  if (stream->device == memory::current_device()) return stream;
  throw Failure{cudaErrorInvalidResourceHandle,
                fmt::format("the stream belongs to device {}, and device {} is current. Call "
                            "cudaSetDevice({}) before the launch",
                            stream->device, memory::current_device(), stream->device),
                "wrong-device"};
}

StreamPtr find_stream(cudaStream_t handle) {
  if (handle == nullptr || handle == cudaStreamLegacy) return runtime().queue.legacy();
  if (handle == cudaStreamPerThread) {
    thread_local PerDevice<std::unique_ptr<const PerThread>> own;
    auto& here = own.here();
    if (here == nullptr) here = std::make_unique<const PerThread>();
    return here->stream;
  }
  const std::lock_guard lock(streams_mutex);
  const auto entry = streams().find(handle);
  if (entry == streams().end()) {
    throw Failure{cudaErrorInvalidResourceHandle, "the stream was not created, or is destroyed"};
  }
  return entry->second;
}

cudaStream_t keep_stream(StreamPtr stream) {
  const auto handle = reinterpret_cast<cudaStream_t>(stream.get());
  const std::lock_guard lock(streams_mutex);
  streams()[handle] = std::move(stream);
  return handle;
}

void forget_stream(cudaStream_t handle) {
  const StreamPtr gone = find_stream(handle);
  stream_ends_as.load()(*gone);
  runtime().queue.forget_stream(gone);
  const std::lock_guard lock(streams_mutex);
  streams().erase(handle);
}

}  // namespace warpwise::cudart
