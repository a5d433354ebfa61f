#include "simulator/cudart/queue/stream.h"

#include <fmt/format.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "simulator/cudart/device/per_device.h"
#include "simulator/cudart/report/error.h"
#include "simulator/cudart/report/failure.h"
#include "simulator/cudart/report/report.h"
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

void report_other_device(const Stream& stream, const char* function) {
  if (stream.device == memory::current_device()) return;
  runtime().reporter.mistake(
      "wrong-device", watch::Severity::error,
      fmt::format("a launch into a stream of device {} while device {} is current. The CUDA "
                  "Programming Guide says that it fails; the runtime of CUDA 13.0 runs it on "
                  "device {}. Call cudaSetDevice({}) before the launch",
                  stream.device, memory::current_device(), stream.device, stream.device),
      {call_site(), std::string_view(function) == launch_syntax ? "<<<" : function});
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
  if (has_lost(entry->second->device)) throw Failure{cudaErrorContextIsDestroyed, ""};
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
