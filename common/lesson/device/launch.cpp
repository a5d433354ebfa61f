#include "lesson/device/launch.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <cstdlib>

#include "lesson/device/error.h"

namespace warpwise::lesson {

void launch_kernel(const void* kernel, const Shape& shape, void** arguments) {
  constexpr std::size_t without_asking = 48 * 1024;
  if (shape.shared_bytes > without_asking) {
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
