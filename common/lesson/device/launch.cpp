#include "lesson/device/launch.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <cstdlib>

#include "lesson/device/error.h"

namespace warpwise::lesson {

namespace {

/// Whether a block needs more shared memory, static and dynamic, than a kernel has by itself.
bool must_ask(const void* kernel, std::size_t dynamic_bytes) {
  constexpr std::size_t without_asking = 48 * 1024;
  if (dynamic_bytes == 0 || dynamic_bytes > without_asking) return dynamic_bytes != 0;
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, kernel));
  return dynamic_bytes + attributes.sharedSizeBytes > without_asking;
}

}  // namespace

void launch_kernel(const void* kernel, const Shape& shape, void** arguments) {
  if (must_ask(kernel, shape.shared_bytes)) {
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(shape.shared_bytes)));
  }
  const cudaError_t status = cudaLaunchKernel(kernel, shape.grid, shape.block, arguments,
                                              shape.shared_bytes, shape.stream);
  if (status == cudaSuccess) return;
  (void)cudaGetLastError();
  throw Stop(something_wrong,
             fmt::format("the launch <<<({}, {}, {}), ({}, {}, {}), {}>>> was refused: {}",
                         shape.grid.x, shape.grid.y, shape.grid.z, shape.block.x, shape.block.y,
                         shape.block.z, shape.shared_bytes, cudaGetErrorString(status)));
}

std::string demangled(const char* symbol) {
  int status = 0;
  char* text = abi::__cxa_demangle(symbol, nullptr, nullptr, &status);
  std::string name = status == 0 && text != nullptr ? text : symbol;
  std::free(text);
  return name;
}

}  // namespace warpwise::lesson
