#include "simulator/cudart/report/error.h"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <new>
#include <string_view>

#include "simulator/cudart/device/devices.h"
#include "simulator/cudart/queue/operations.h"
#include "simulator/cudart/queue/queue.h"
#include "simulator/cudart/report/console.h"
#include "simulator/cudart/report/report.h"
#include "simulator/cudart/runtime.h"
#include "simulator/image/fatbin.h"
#include "simulator/machine/launch/module.h"

namespace warpwise::cudart {
namespace {

thread_local cudaError_t last = cudaSuccess;
/// What became of a device.
struct State {
  std::atomic<cudaError_t> fault{cudaSuccess};
  std::atomic<cudaError_t> sticky{cudaSuccess};
  std::atomic<bool> fault_shows_at_once{false};
};
PerDevice<State> states;
std::atomic<cudaError_t> unread{cudaSuccess};

/// The sticky error once cudaDeviceReset has left no device.
constexpr cudaError_t lost = cudaErrorDevicesUnavailable;

/// The launches that left the errors above.
struct Launches {
  std::mutex mutex;
  PerDevice<CallSite> faulted;
  CallSite unread;
};
Launches& launches() {
  static auto& both = *new Launches;
  return both;
}

cudaError_t record(cudaError_t error) {
  // "Not ready" is an answer, not an error: cudaGetLastError does not see it.
  if (error != cudaSuccess && error != cudaErrorNotReady) last = error;
  return error;
}

/// The first call that failed, other than a launch, until the program asks about errors.
struct UnheededCall {
  std::mutex mutex;
  FailedCall call;
};
UnheededCall& unheeded() {
  static auto& first = *new UnheededCall;
  return first;
}

void remember_unheeded(const char* function, cudaError_t error) {
  if (error == cudaErrorNotReady || std::string_view(function) == launch_syntax) return;
  const std::lock_guard lock(unheeded().mutex);
  if (unheeded().call.error == cudaSuccess) unheeded().call = {error, function, call_site()};
}

/// The program asks for an error or for its name.
void forget_unheeded() {
  const std::lock_guard lock(unheeded().mutex);
  unheeded().call = {};
}

/// The word of a source line that calls a function of the runtime.
std::string_view word_of(std::string_view function) {
  return function == launch_syntax ? "<<<" : function;
}

cudaError_t outcome(const char* function, const Body& body) noexcept {
  try {
    Queue::take_host_waited();
    body();
    if (Queue::take_host_waited()) count(Counted::host_waits);
    if (runtime_exists()) runtime().queue.wait_for_room();
    return cudaSuccess;
  } catch (const Failure& failure) {
    if (failure.kind == nullptr && failure.why.empty()) return failure.error;
    const std::string message =
        fmt::format("{} returned {}: {}", function, error_name(failure.error), failure.why);
    const HostPlace place = {call_site(), word_of(function)};
    if (failure.kind != nullptr) {
      runtime().reporter.mistake(failure.kind, watch::Severity::error, message, place);
    } else {
      explain_call(message, place);
      remember_unheeded(function, failure.error);
    }
    return failure.error;
  } catch (const machine::Unsupported& unsupported) {
    stop_unsupported(unsupported.message);
  } catch (const image::ImageError& damaged) {
    say(fmt::format("note: {} returned cudaErrorInvalidKernelImage: {}", function,
                    damaged.message));
    return cudaErrorInvalidKernelImage;
  } catch (const std::bad_alloc&) {
    return cudaErrorMemoryAllocation;
  } catch (const std::exception& error) {
    stop(fmt::format("simulator: {}: {}", function, error.what()));
  }
}

}  // namespace

bool in_forked_child() {
  static std::atomic<bool> forked{false};
  static const bool watched = [] {
    pthread_atfork(nullptr, nullptr, [] { forked = true; });
    return true;
  }();
  return watched && forked;
}

/// No code waits for the result of a stream's function, and few programs check what its calls
/// return.
void note_not_permitted(const char* function) noexcept {
  static std::atomic_flag reported;
  if (reported.test_and_set()) return;
  runtime().reporter.mistake(
      "unchecked-error", watch::Severity::note,
      fmt::format("{} was called in a function that a stream runs (cudaLaunchHostFunc, "
                  "cudaStreamAddCallback). These must not call CUDA: it returned "
                  "cudaErrorNotPermitted and did nothing. Call it once the stream has been waited "
                  "for.",
                  function),
      {call_site(), function});
}

cudaError_t call_without_device(const char* function, const Body& body) noexcept {
  if (in_forked_child()) return record(cudaErrorInitializationError);
  if (Queue::on_device_thread()) {
    note_not_permitted(function);
    return record(cudaErrorNotPermitted);
  }
  return record(outcome(function, body));
}

cudaError_t call_after_fault(const char* function, const Body& body) noexcept {
  return call_without_device(function, [&] {
    need_context();
    body();
  });
}

cudaError_t call(const char* function, const Body& body) noexcept {
  return call_without_device(function, [&] {
    need_device();
    body();
  });
}

cudaError_t call_on_any_thread(const char* function, const Body& body) noexcept {
  if (in_forked_child()) return record(cudaErrorInitializationError);
  return record(outcome(function, body));
}

cudaError_t call_always(const char* function, const Body& body) noexcept {
  return record(outcome(function, body));
}

void need_device() {
  const State& here = states.here();
  if (here.fault_shows_at_once) show_fault();
  if (here.sticky != cudaSuccess) throw Failure{here.sticky, ""};
  need_some_device();
}

void need_old_context() {
  if (states.here().sticky == lost) throw Failure{cudaErrorContextIsDestroyed, ""};
  need_device();
}

void need_context() {
  if (states.here().sticky == lost) throw Failure{lost, ""};
  need_some_device();
}

void need_context_of(int device) {
  const bool is_there = device >= 0 && device < device_count();
  const memory::OnDevice there(is_there ? device : memory::current_device());
  need_context();
}

void need_some_device() {
  if (device_count() == 0) throw Failure{cudaErrorNoDevice, devices_text()};
}

void set_fault(cudaError_t error, const CallSite& launch) {
  const std::lock_guard lock(launches().mutex);
  cudaError_t none = cudaSuccess;
  if (!states.here().fault.compare_exchange_strong(none, error)) return;
  launches().faulted.here() = launch;
  states.here().fault_shows_at_once = runtime().queue.runs_unasked();
}

bool faulted() { return faulted(memory::current_device()); }

bool faulted(int device) { return states.of(device).fault != cudaSuccess; }

bool any_faulted() {
  return std::any_of(states.begin(), states.end(),
                     [](const State& one) { return one.fault != cudaSuccess; });
}

bool has_lost(int device) { return states.of(device).sticky == lost; }

cudaError_t fault_so_far() { return states.here().fault; }

void show_fault() {
  State& here = states.here();
  if (here.fault == cudaSuccess) return;
  // Every device of the process has failed from then on.
  for (State& one : states) {
    cudaError_t none = cudaSuccess;
    one.fault.compare_exchange_strong(none, here.fault);
    none = cudaSuccess;
    one.sticky.compare_exchange_strong(none, here.fault);
  }
  throw Failure{here.sticky, ""};
}

bool end_after_fault() {
  if (!faulted()) return false;
  states.here().sticky = lost;
  return true;
}

void set_unread_launch(cudaError_t error) {
  // A sticky error was returned before, and will be again.
  if (states.here().sticky != cudaSuccess) return;
  const std::lock_guard lock(launches().mutex);
  launches().unread = call_site();
  unread = error;
}

UnreadError unread_error() {
  const std::lock_guard lock(launches().mutex);
  for (int device = 0; device < memory::most_devices; ++device) {
    const State& one = states.of(device);
    if (one.fault != cudaSuccess && one.sticky == cudaSuccess)
      return {one.fault, launches().faulted.of(device)};
  }
  return {unread, launches().unread};
}

FailedCall unheeded_call() {
  const std::lock_guard lock(unheeded().mutex);
  return unheeded().call;
}

cudaError_t last_error() {
  unread = cudaSuccess;
  forget_unheeded();
  return last;
}

cudaError_t take_error() {
  const cudaError_t error = last_error();
  last = cudaSuccess;
  return error;
}

void forget_error() { last = cudaSuccess; }

KeptError::KeptError() : before_(last) {}
KeptError::~KeptError() { last = before_; }

}  // namespace warpwise::cudart

extern "C" {

cudaError_t cudaGetLastError() { return warpwise::cudart::take_error(); }
cudaError_t cudaPeekAtLastError() { return warpwise::cudart::last_error(); }
const char* cudaGetErrorName(cudaError_t error) {
  warpwise::cudart::forget_unheeded();
  return warpwise::cudart::error_name(error);
}
const char* cudaGetErrorString(cudaError_t error) {
  warpwise::cudart::forget_unheeded();
  return warpwise::cudart::error_text(error);
}
}
