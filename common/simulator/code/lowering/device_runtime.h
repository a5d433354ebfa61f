#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "simulator/code/program.h"

/// The CUDA runtime as kernels call it (dynamic parallelism): functions that no module defines.
namespace warpwise::code {

/// The signature of one of them.
struct RuntimeFunction {
  std::string_view name;  ///< without the prefix that nvcc adds
  RuntimeCallee callee;
  /// A letter for each argument: 4 and 8 for that many bytes, d for a dim3, which is passed by
  /// value; i and p for a pointer to 4 and to 8 bytes that the function fills in; a for one to
  /// cudaFuncAttributes.
  std::string_view arguments;
  unsigned result_bytes = 4;
};

/// The function that compiled code calls by this name; null where there is none.
const RuntimeFunction* runtime_function(std::string_view called);

/// True for names that belong to the device runtime, whether it has the function or not.
bool is_of_device_runtime(std::string_view called);

/// Bytes of cudaFuncAttributes in the program's memory.
constexpr unsigned function_attributes_bytes = 144;

}  // namespace warpwise::code
