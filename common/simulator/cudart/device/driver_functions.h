#pragma once
#include <cuda.h>

#include <span>
#include <string_view>

#include "simulator/cudart/report/error.h"

/// Functions of the driver that programs look for by name. The simulator has no driver: functions
/// that do the same as one of the runtime call that one, the rest report that they are not there.
namespace warpwise::cudart {

struct DriverFunction {
  std::string_view name;
  unsigned since;  ///< first version of CUDA that has the function, with these parameters
  void* function;
};

template <typename... Parameters>
DriverFunction driver_function(std::string_view name, unsigned since,
                               CUresult (*function)(Parameters...)) {
  return {name, since, reinterpret_cast<void*>(function)};
}

std::span<const DriverFunction> tensor_map_functions();     ///< those that make tensor maps
std::span<const DriverFunction> driver_memory_functions();  ///< allocations, copies and fills
std::span<const DriverFunction> driver_query_functions();   ///< devices, errors, streams, events

/// All functions that the toolkit's headers name, which report that when called. Generated from the
/// headers (common/cmake/driver_names.cmake).
std::span<const DriverFunction> driver_functions_by_name();

/// Turns the runtime's answer into the driver's: the numbers are the same, but cudaGetLastError
/// never returns it.
template <typename Body>
CUresult as_driver(const Body& body) {
  const KeptError kept;
  return static_cast<CUresult>(body());
}

}  // namespace warpwise::cudart
