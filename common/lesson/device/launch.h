#pragma once
#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>
#include <tuple>
#include <vector>

#include "base/function.h"

/// \file
/// A launch as a value: kernel, shape and arguments, made once and run many times.
/// \ingroup lesson
namespace warpwise::lesson {

/// The shape of a launch: `{.grid = blocks, .block = {32, 4}}`.
struct Shape {
  dim3 grid;
  dim3 block;
  std::size_t shared_bytes = 0;  ///< dynamic, a block.
  cudaStream_t stream = nullptr;
};

/// Starts a kernel and returns at once.
/// @param kernel a host function of a kernel, or a cudaKernel_t.
/// @param arguments pointers to the arguments.
/// @throws Stop when the launch is refused.
void launch_kernel(const void* kernel, const Shape& shape, void** arguments);

/// A launch with its arguments inside.
template <class... Parameters>
std::function<void()> bind_launch(const void* kernel, const Shape& shape,
                                  std::tuple<Parameters...> arguments) {
  return [kernel, shape, arguments]() mutable {
    std::apply(
        [&](Parameters&... values) {
          void* pointers[] = {&values..., nullptr};
          launch_kernel(kernel, shape, pointers);
        },
        arguments);
  };
}

/// The demangled name of a symbol; the symbol itself when it is not mangled.
std::string demangled(const char* symbol);

}  // namespace warpwise::lesson
