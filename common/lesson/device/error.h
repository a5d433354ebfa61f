#pragma once
#include <cuda_runtime_api.h>

#include <exception>
#include <new>
#include <source_location>

#include "lesson/device/stop.h"

/// \defgroup lesson Lesson
/// The harness of every chapter: flags, devices, ladders of kernels, checks of exercises. A chapter
/// includes `lesson/run.h`, the check of an exercise `check/exercise.h`.

/// \file
/// How a program of the tutorial ends, and the one error check for CUDA calls.
/// \ingroup lesson
namespace warpwise::lesson {

/// Prints the message of a Stop under the program's name and exits with its status.
[[noreturn]] void exit_with(const Stop& stop);

/// Calls a function and lets a Stop, or an exception of the standard library, end the program.
template <class Function>
auto or_exit(Function&& function) {
  try {
    return function();
  } catch (const Stop& stop) {
    exit_with(stop);
  } catch (const std::bad_alloc&) {
    exit_with({bad_environment, "the host has not enough memory for this; try a smaller --size"});
  } catch (const std::exception& error) {
    exit_with({bad_environment, error.what()});
  }
}

/// Throws a Stop that names the place in the caller's file, unless the status is success.
/// @param status of a CUDA runtime call.
void check(cudaError_t status, std::source_location where = std::source_location::current());

}  // namespace warpwise::lesson
