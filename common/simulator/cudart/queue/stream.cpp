#include "simulator/cudart/queue/stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "simulator/cudart/copies/pending_copies.h"
#include "simulator/cudart/device/per_device.h"
#include "simulator/cudart/memory/host_visible.h"
#include "simulator/cudart/memory/pool.h"
#include "simulator/cudart/queue/capture.h"
#include "simulator/cudart/report/error.h"
#include "simulator/cudart/runtime.h"

namespace warpwise::cudart {
namespace {

std::mutex streams_mutex;

constexpr int least_priority = 0, greatest_priority = -5;

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
    forget_captured(*stream);
    runtime().queue.forget_stream(stream);
  }
};

void create(cudaStream_t* stream, unsigned flags, int priority) {
  given(stream);
  if ((flags & ~unsigned{cudaStreamNonBlocking}) != 0) throw Failure{cudaErrorInvalidValue, ""};
  need_device();
  const bool blocking = (flags & cudaStreamNonBlocking) == 0;
  StreamPtr fresh = runtime().queue.create_stream(
      blocking, flags, std::clamp(priority, greatest_priority, least_priority));
  *stream = reinterpret_cast<cudaStream_t>(fresh.get());
  const std::lock_guard lock(streams_mutex);
  streams()[*stream] = std::move(fresh);
}

}  // namespace

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

void synchronize(const StreamPtr& stream) {
  Queue& queue = runtime().queue;
  for (const OperationPtr& operation : queue.latest(*stream)) queue.wait(operation);
  trim_pools(false);
  after_wait(stream->device);
}

}  // namespace warpwise::cudart

using namespace warpwise::cudart;

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return call_after_fault("cudaStreamCreate", [&] { create(stream, cudaStreamDefault, 0); });
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return call_after_fault("cudaStreamCreateWithFlags", [&] { create(stream, flags, 0); });
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  return call_after_fault("cudaStreamCreateWithPriority", [&] { create(stream, flags, priority); });
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return call_after_fault("cudaStreamDestroy", [&] {
    if (stream != nullptr) need_device();
    if (stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread) {
      throw Failure{cudaErrorInvalidResourceHandle, "a default stream cannot be destroyed"};
    }
    const StreamPtr gone = find_stream(stream);
    forget_captured(*gone);
    runtime().queue.forget_stream(gone);
    const std::lock_guard lock(streams_mutex);
    streams().erase(stream);
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return call("cudaStreamSynchronize", [&] {
    const StreamPtr waited = find_stream(stream);
    forbid_for(*waited);
    synchronize(waited);
  });
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return call("cudaStreamQuery", [&] {
    Queue& queue = runtime().queue;
    const StreamPtr asked = find_stream(stream);
    forbid_for(*asked);
    for (const OperationPtr& operation : queue.latest(*asked)) {
      if (!queue.poll(operation)) throw Failure{cudaErrorNotReady, ""};
    }
    after_wait(asked->device);
  });
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
  return call_after_fault("cudaStreamGetFlags", [&] {
    given(flags);
    need_device();
    forbid_beside_capture(stream);
    *flags = find_stream(stream)->flags;
  });
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return call_after_fault("cudaStreamGetPriority", [&] {
    given(priority);
    need_device();
    *priority = working_stream(stream)->priority;
  });
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  return call_after_fault("cudaStreamGetId", [&] {
    given(id);
    need_device();
    forbid_beside_capture(stream);
    *id = find_stream(stream)->id;
  });
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
  return call("cudaStreamGetDevice", [&] {
    forbid_beside_capture(stream);
    store(device, find_stream(stream)->device);
  });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  return call_after_fault("cudaLaunchHostFunc", [&] {
    given(function);
    need_device();
    runtime().queue.expect(submit(stream, HostWork{function, data}));
  });
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void* data,
                                  unsigned flags) {
  return call_without_device("cudaStreamAddCallback", [&] {
    given(function);
    if (flags != 0) throw Failure{cudaErrorInvalidValue, ""};
    need_device();
    forbid_beside_capture(stream);
    const StreamPtr target = find_stream(stream);
    runtime().queue.expect(runtime().queue.issue(*target, [=] {
      open_after_copies();
      open_host_visible();
      runtime().queue.tell_host();
      function(stream, fault_so_far(), data);
    }));
  });
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return call("cudaDeviceGetStreamPriorityRange", [&] {
    if (least != nullptr) *least = least_priority;
    if (greatest != nullptr) *greatest = greatest_priority;
  });
}
}
