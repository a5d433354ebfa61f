#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <utility>

#include "simulator/cudart/memory/pool.h"
#include "simulator/cudart/queue/capture.h"
#include "simulator/cudart/queue/event.h"
#include "simulator/cudart/queue/stream.h"
#include "simulator/cudart/report/console.h"
#include "simulator/cudart/report/error.h"
#include "simulator/cudart/report/report.h"
#include "simulator/cudart/runtime.h"

namespace warpwise::cudart {
namespace {

void create(cudaEvent_t* event, unsigned flags) {
  constexpr unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
  const bool shared_timing =
      (flags & cudaEventInterprocess) != 0 && (flags & cudaEventDisableTiming) == 0;
  if ((flags & ~known) != 0 || shared_timing) throw Failure{cudaErrorInvalidValue, ""};
  need_device();
  given(event);
  auto fresh = std::make_shared<Event>();
  fresh->timed = (flags & cudaEventDisableTiming) == 0;
  fresh->device = memory::current_device();
  *event = keep_event(std::move(fresh));
}

/// The code is that of two H200.
void check_same_device(const Event& event, const Stream& stream) {
  if (event.device == stream.device) return;
  throw Failure{
      cudaErrorInvalidResourceHandle,
      fmt::format("an event of device {} is recorded in a stream of device {}. Create the "
                  "event while device {} is current: cudaSetDevice({}) before "
                  "cudaEventCreate",
                  event.device, stream.device, stream.device, stream.device),
      "wrong-device"};
}

void record(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  const StreamPtr where = working_stream(stream);
  if ((flags & ~unsigned{cudaEventRecordExternal}) != 0) throw Failure{cudaErrorInvalidValue, ""};
  const EventPtr target = find_event(event);
  check_same_device(*target, *where);
  const bool external = flags == cudaEventRecordExternal;
  if (external) {
    if (capture_of(*where) == nullptr) {
      throw Failure{cudaErrorIllegalState, "an external record makes a node of a captured graph"};
    }
    capture(where, RecordWork{event});
  } else if (!capture_record(where, *target)) {
    target->set_recorded(runtime().queue.issue(*where, [] {}));
  }
}

void wait_in(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  const StreamPtr where = working_stream(stream);
  if ((flags & ~unsigned{cudaEventWaitExternal}) != 0) throw Failure{cudaErrorInvalidValue, ""};
  try {
    const EventPtr target = find_event(event);
    if (flags == cudaEventWaitExternal) {
      if (capture_of(*where) == nullptr) {
        throw Failure{cudaErrorIllegalState, "an external wait makes a node of a captured graph"};
      }
      capture(where, WaitWork{event});
    } else if (!capture_wait(where, *target)) {
      runtime().queue.issue(*where, [] {}, {target->record()});
    }
  } catch (const Failure&) {
    spoil_capture(*where);
    throw;
  }
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

/// Once for each call: a program may ask until it is ready.
void tell_not_done() {
  static auto& calls = *new OncePerCall;
  const CallSite from = call_site();
  if (!calls.is_first(from)) return;
  runtime().reporter.mistake(
      "missing-sync", watch::Severity::note,
      "cudaEventElapsedTime returned cudaErrorNotReady and no time: the work before an event "
      "may still be running; call cudaEventSynchronize() for the end first",
      {from, "cudaEventElapsedTime"});
}

float elapsed(cudaEvent_t start, cudaEvent_t end) {
  const EventPtr first = find_event(start);
  need_device();
  const EventPtr second = find_event(end);
  forbid_for(*first, false), forbid_for(*second, false);
  if (first->device != second->device)
    throw Failure{cudaErrorInvalidResourceHandle,
                  fmt::format("the events are of devices {} and {}, whose clocks have nothing in "
                              "common. Create and record both on one device",
                              first->device, second->device),
                  "wrong-device"};
  const OperationPtr from = first->record(), to = second->record();
  if (!from || !to || !first->timed || !second->timed) {
    throw Failure{
        cudaErrorInvalidResourceHandle,
        "both events must have been recorded, and created without cudaEventDisableTiming"};
  }
  Queue& queue = runtime().queue;
  if (!queue.poll(from) || !queue.poll(to)) {
    tell_not_done();
    throw Failure{cudaErrorNotReady, ""};
  }
  say_once_that_time_is_host_time();
  return std::chrono::duration<float, std::milli>(to->finished - from->finished).count();
}

}  // namespace
}  // namespace warpwise::cudart

using namespace warpwise::cudart;

extern "C" {

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return call_after_fault("cudaEventCreate", [&] { create(event, cudaEventDefault); });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return call_after_fault("cudaEventCreateWithFlags", [&] { create(event, flags); });
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return call_after_fault("cudaEventDestroy", [&] {
    find_event(event);
    need_device();
    forget_event(event);
  });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return call("cudaEventRecord", [&] { record(event, stream, cudaEventRecordDefault); });
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  return call("cudaEventRecordWithFlags", [&] { record(event, stream, flags); });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return call_without_device("cudaEventSynchronize", [&] {
    const EventPtr asked = find_event(event);
    need_device();
    forbid_for(*asked);
    forbid_while_capturing();
    runtime().queue.wait(asked->record());
    trim_pools(false);
    after_wait(asked->device);
  });
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return call_on_any_thread("cudaEventQuery", [&] {
    const EventPtr asked = find_event(event);
    need_device();
    forbid_for(*asked);
    forbid_while_capturing();
    if (!runtime().queue.poll(asked->record())) throw Failure{cudaErrorNotReady, ""};
    after_wait(asked->device);
  });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return call_on_any_thread("cudaEventElapsedTime", [&] {
    given(milliseconds);
    *milliseconds = elapsed(start, end);
  });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  return call("cudaStreamWaitEvent", [&] { wait_in(stream, event, flags); });
}
}
