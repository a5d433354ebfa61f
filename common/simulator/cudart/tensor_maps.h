#pragma once
#include <span>
#include <string_view>

namespace warpwise::cudart {

/// A function of the driver that programs may look for.
struct DriverFunction {
  std::string_view name;
  unsigned since;  ///< version of CUDA
  void* function;
};

/// Those that make tensor maps.
std::span<const DriverFunction> tensor_map_functions();

}  // namespace warpwise::cudart
