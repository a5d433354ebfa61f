#include <cuda_runtime_api.h>

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <set>

#include "simulator/cudart/console.h"
#include "simulator/cudart/error.h"
#include "simulator/cudart/runtime.h"
#include "simulator/cudart/stream.h"

namespace warpwise::cudart {
namespace {

struct Event {
  bool timed = true;
  std::mutex mutex;
  OperationPtr recorded;  ///< the latest record; null before the first.

  OperationPtr record() {
    const std::lock_guard lock(mutex);
    return recorded;
  }
};
using EventPtr = std::shared_ptr<Event>;

std::mutex mutex;

std::map<cudaEvent_t, EventPtr>& created() {
  static auto& all = *new std::map<cudaEvent_t, EventPtr>;
  return all;
}

EventPtr find_event(cudaEvent_t handle) {
  const std::lock_guard lock(mutex);
  const auto entry = created().find(handle);
  if (entry == created().end()) {
    throw Failure{cudaErrorInvalidResourceHandle, "the event was not created, or is destroyed"};
  }
  return entry->second;
}

void create(cudaEvent_t* event, unsigned flags) {
  constexpr unsigned known = cudaEventBlockingSync | cudaEventDisableTiming;
  if (event == nullptr || (flags & ~known) != 0) throw Failure{cudaErrorInvalidValue, ""};
  auto fresh = std::make_shared<Event>();
  fresh->timed = (flags & cudaEventDisableTiming) == 0;
  *event = reinterpret_cast<cudaEvent_t>(fresh.get());
  const std::lock_guard lock(mutex);
  created()[*event] = std::move(fresh);
}

void record(cudaEvent_t event, cudaStream_t stream) {
  const EventPtr target = find_event(event);
  const OperationPtr issued = runtime().queue.issue(*find_stream(stream), [] {});
  const std::lock_guard lock(target->mutex);
  target->recorded = issued;
}

void say_once_that_time_is_host_time() {
  static const bool said = [] {
    explain(
        "note: cudaEventElapsedTime tells how long the simulator took on this host, not a GPU's "
        "time");
    return true;
  }();
  (void)said;
}

float elapsed(cudaEvent_t start, cudaEvent_t end) {
  const EventPtr first = find_event(start), second = find_event(end);
  const OperationPtr from = first->record(), to = second->record();
  if (!from || !to || !first->timed || !second->timed) {
    throw Failure{
        cudaErrorInvalidResourceHandle,
        "both events must have been recorded, and created without cudaEventDisableTiming"};
  }
  Queue& queue = runtime().queue;
  if (!queue.poll(from) || !queue.poll(to)) throw Failure{cudaErrorNotReady, ""};
  say_once_that_time_is_host_time();
  return std::chrono::duration<float, std::milli>(to->finished - from->finished).count();
}

}  // namespace
}  // namespace warpwise::cudart

using namespace warpwise::cudart;

extern "C" {

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return call("cudaEventCreate", [&] { create(event, cudaEventDefault); });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return call("cudaEventCreateWithFlags", [&] { create(event, flags); });
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return call("cudaEventDestroy", [&] {
    find_event(event);
    const std::lock_guard lock(mutex);
    created().erase(event);
  });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return call("cudaEventRecord", [&] { record(event, stream); });
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  return call("cudaEventRecordWithFlags", [&] {
    if (flags != cudaEventRecordDefault) throw Failure{cudaErrorInvalidValue, ""};
    record(event, stream);
  });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return call("cudaEventSynchronize", [&] {
    runtime().queue.wait(find_event(event)->record());
    after_wait();
  });
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return call("cudaEventQuery", [&] {
    if (!runtime().queue.poll(find_event(event)->record())) throw Failure{cudaErrorNotReady, ""};
    after_wait();
  });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return call("cudaEventElapsedTime", [&] {
    if (milliseconds == nullptr) throw Failure{cudaErrorInvalidValue, ""};
    *milliseconds = elapsed(start, end);
  });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  return call("cudaStreamWaitEvent", [&] {
    if (flags != cudaEventWaitDefault) throw Failure{cudaErrorInvalidValue, ""};
    runtime().queue.issue(*find_stream(stream), [] {}, {find_event(event)->record()});
  });
}
}
