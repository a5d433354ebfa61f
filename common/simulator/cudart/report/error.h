#pragma once
#include <cuda_runtime_api.h>

#include <string>

#include "simulator/cudart/report/call_site.h"
#include "simulator/cudart/report/failure.h"

/// The error state of the runtime: what each host thread last failed with, and the sticky error
/// that a faulting kernel leaves for all who use a device.
namespace warpwise::cudart {

/// The name of a launch written as kernel<<<>>> in explanations.
constexpr const char* launch_syntax = "kernel<<<>>>";

// A kernel's fault leaves a sticky error that functions tell from then on: once it has been seen,
// those of all devices do, as on two H200. cudaDeviceReset then leaves no device at all. Which of
// them, and after which checks of the arguments, is as on an H100 (the subjects faulted_* of
// answers/): the functions below differ in what they tell before the body runs, and bodies say by
// need_device() and need_context() where they are through with such checks.

/// What a runtime function does: refers to the lambda that the call is given. There are hundreds,
/// for which std::function would make the compiler write ten times as much.
class Body {
 public:
  template <typename Work>
  Body(const Work& work) : work_(&work), run_(run<Work>) {}
  void operator()() const { run_(work_); }

 private:
  template <typename Work>
  static void run(const void* work) {
    (*static_cast<const Work*>(work))();
  }

  const void* work_;
  void (*run_)(const void*);
};

/// Runs the body of a runtime function and turns its outcome into an error code, which it records
/// for this thread. After a sticky error the body does not run. A Failure with a reason is
/// explained on stderr; a feature that the simulator does not support ends the program with status
/// 3.
/// @param function the public name, for the explanation.
cudaError_t call(const char* function, const Body& body) noexcept;

/// The same for functions that look at arguments first, or work after a sticky error: only without
/// a device the body does not run.
cudaError_t call_after_fault(const char* function, const Body& body) noexcept;

/// The same for functions of which the body runs without a device, too.
cudaError_t call_without_device(const char* function, const Body& body) noexcept;

/// The same for those that work in a host callback, too.
cudaError_t call_on_any_thread(const char* function, const Body& body) noexcept;

/// The same for those that work even after a fork.
cudaError_t call_always(const char* function, const Body& body) noexcept;

/// From here on the body works on the device. @throws Failure with the sticky error, if any.
void need_device();
/// From here on the body needs a device, whatever became of it.
/// @throws Failure where cudaDeviceReset after a fault has left none.
void need_context();
/// @throws Failure cudaErrorNoDevice where CUDA_VISIBLE_DEVICES leaves none.
void need_some_device();
/// As need_context(), of a device that is to be chosen; of the current one where there is none.
void need_context_of(int device);
/// As need_device(), in functions that ask the existing context. Without a device, other functions
/// make a new context, and fail in that.
void need_old_context();

/// The child of a fork() has no device: neither the thread that serves it nor a CUDA context
/// survive.
bool in_forked_child();

/// A kernel faulted: the error is kept back until the next synchronisation of any thread, because a
/// real device's faults are seen late; so a program fails at the same call every time. If no thread
/// has asked for the launch for so long that it ran, the next call of any kind returns the error,
/// as on a real device.
/// @param launch the call that asked for the kernel.
void set_fault(cudaError_t error, const CallSite& launch);
/// True from a fault of the current device on: its pending work does not run any more.
bool faulted();
bool faulted(int device);
/// True from a fault of any device on.
bool any_faulted();
/// The fault of the current device; cudaSuccess where there was none.
cudaError_t fault_so_far();
/// True once cudaDeviceReset has left nothing of the device after a fault.
bool has_lost(int device);
/// To be called where the host has waited for the current device, whose fault every device has from
/// then on. @throws Failure with the fault, if any.
void show_fault();

/// For cudaDeviceReset: after a fault of the device, the process cannot use it any more.
/// @return true after a fault.
bool end_after_fault();

/// A launch by <<<>>> failed: only cudaGetLastError and cudaPeekAtLastError return its code.
void set_unread_launch(cudaError_t error);

/// An error that the program never asked for, and its launch.
struct UnreadError {
  cudaError_t error = cudaSuccess;  ///< cudaSuccess if there is none.
  CallSite launch;
};
/// The error of a launch, or of a kernel's fault that no call returned.
UnreadError unread_error();

/// A call, other than a launch, that failed.
struct FailedCall {
  cudaError_t error = cudaSuccess;  ///< cudaSuccess if there is none.
  const char* function = "";        ///< its public name.
  CallSite site;
};
/// The first call that failed with a reason, if the program asked neither for an error nor for an
/// error's name afterwards. It may still have looked at the call's result.
FailedCall unheeded_call();

cudaError_t last_error();  ///< of this thread.
cudaError_t take_error();  ///< the same; clears this thread's.
/// Restores this thread's error at the end, whatever fails meanwhile.
class KeptError {
 public:
  KeptError();
  ~KeptError();
  KeptError(const KeptError&) = delete;
  KeptError& operator=(const KeptError&) = delete;

 private:
  cudaError_t before_;
};
/// This thread's error is gone, though the program has not asked for it.
void forget_error();

const char* error_name(cudaError_t error);  ///< "cudaErrorInvalidValue".
const char* error_text(cudaError_t error);  ///< "invalid argument".

}  // namespace warpwise::cudart
