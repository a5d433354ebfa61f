#include <algorithm>

#include "simulator/cudart/copies/pending_copies.h"
#include "simulator/cudart/launch/submit.h"
#include "simulator/cudart/memory/host_visible.h"
#include "simulator/cudart/memory/pool.h"
#include "simulator/cudart/queue/capture.h"
#include "simulator/cudart/queue/stream.h"
#include "simulator/cudart/report/error.h"
#include "simulator/cudart/runtime.h"

namespace warpwise::cudart {
namespace {

constexpr int least_priority = 0, greatest_priority = -5;

void create(cudaStream_t* stream, unsigned flags, int priority) {
  given(stream);
  if ((flags & ~unsigned{cudaStreamNonBlocking}) != 0) throw Failure{cudaErrorInvalidValue, ""};
  need_device();
  const bool blocking = (flags & cudaStreamNonBlocking) == 0;
  *stream = keep_stream(runtime().queue.create_stream(
      blocking, flags, std::clamp(priority, greatest_priority, least_priority)));
}

/// Waits for all that was issued to the stream, then does what after_wait() does.
void synchronize(const StreamPtr& stream) {
  Queue& queue = runtime().queue;
  for (const OperationPtr& operation : queue.latest(*stream)) queue.wait(operation);
  trim_pools(false);
  after_wait(stream->device);
}

}  // namespace
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
    forget_stream(stream);
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
