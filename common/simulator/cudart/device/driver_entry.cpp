#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <span>
#include <string>
#include <string_view>

#include "simulator/cudart/device/driver_functions.h"
#include "simulator/cudart/report/console.h"
#include "simulator/cudart/report/error.h"
#include "simulator/cudart/runtime.h"
#include "simulator/memory/host_access.h"

// Programs that look for functions of the driver, by name.
namespace warpwise::cudart {
namespace {

std::mutex wanted_mutex;

/// What the program looked for last.
std::string& wanted() {
  static auto& name = *new std::string;
  return name;
}

/// The program calls the function that it did not get.
void stop_at_call() {
  stop_unsupported(
      fmt::format("simulator: the program calls a function of the driver that it did not get "
                  "(the last it looked for in vain was {})",
                  wanted()));
}

/// @return the function of that name; null where there is none.
const DriverFunction* find(std::span<const DriverFunction> functions, std::string_view name) {
  const auto found = std::find_if(functions.begin(), functions.end(),
                                  [&](const auto& one) { return one.name == name; });
  return found == functions.end() ? nullptr : &*found;
}

/// The driver's function of that name in the version; null where no version had it by then.
/// @return false where no version has it.
bool finds(std::string_view name, unsigned version, void*& function) {
  const DriverFunction* known = find(driver_functions_by_name(), name);
  if (known == nullptr) return false;
  function = version < known->since ? nullptr : known->function;
  for (const auto& own :
       {tensor_map_functions(), driver_memory_functions(), driver_query_functions()}) {
    const DriverFunction* available = find(own, name);
    if (available != nullptr && version >= available->since) function = available->function;
  }
  return true;
}

void look_up(const char* symbol, void** function, unsigned version, unsigned long long flags,
             cudaDriverEntryPointQueryResult* result) {
  given(symbol), given(function);
  if (flags > (cudaEnableLegacyStream | cudaEnablePerThreadDefaultStream) ||
      version > CUDART_VERSION) {
    throw Failure{cudaErrorInvalidValue, ""};
  }
  runtime();  // explains host accesses
  if (finds(symbol, version, *function)) {
    if (result != nullptr)
      *result = *function == nullptr ? cudaDriverEntryPointVersionNotSufficent
                                     : cudaDriverEntryPointSuccess;
    return;
  }
  *function = nullptr;
  if (result != nullptr) *result = cudaDriverEntryPointSymbolNotFound;
  {
    const std::lock_guard lock(wanted_mutex);
    wanted() = symbol;
  }
  memory::explain_null_calls(stop_at_call);
  explain(fmt::format("note: the program looks for {}, which no driver has", symbol));
}

}  // namespace
}  // namespace warpwise::cudart

using namespace warpwise::cudart;

extern "C" {

cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned version,
                                             unsigned long long flags,
                                             cudaDriverEntryPointQueryResult* result) {
  return call_without_device("cudaGetDriverEntryPointByVersion",
                             [&] { look_up(symbol, function, version, flags, result); });
}

cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* result) {
  return call_without_device("cudaGetDriverEntryPoint",
                             [&] { look_up(symbol, function, CUDART_VERSION, flags, result); });
}

cudaError_t cudaGetDriverEntryPointByVersion_ptsz(const char* symbol, void** function,
                                                  unsigned version, unsigned long long flags,
                                                  cudaDriverEntryPointQueryResult* result) {
  return cudaGetDriverEntryPointByVersion(symbol, function, version, flags, result);
}

cudaError_t cudaGetDriverEntryPoint_ptsz(const char* symbol, void** function,
                                         unsigned long long flags,
                                         cudaDriverEntryPointQueryResult* result) {
  return call_without_device("cudaGetDriverEntryPoint",
                             [&] { look_up(symbol, function, CUDART_VERSION, flags, result); });
}
}
