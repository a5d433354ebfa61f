#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <mutex>
#include <string>

#include "simulator/cudart/console.h"
#include "simulator/cudart/error.h"
#include "simulator/cudart/runtime.h"
#include "simulator/cudart/tensor_maps.h"
#include "simulator/memory/host_access.h"

// Programs that look for functions of the driver find those that make tensor maps, and no others:
// there is no driver behind the simulator.
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
  stop_unsupported(fmt::format(
      "simulator: the program calls a function of the driver (the last it looked for was {}), and "
      "there is no driver in the simulator; CUDA runtime calls work",
      wanted()));
}

/// @return true where the driver has the function, in that version or in later ones.
bool finds(const char* symbol, void** function, unsigned version,
           cudaDriverEntryPointQueryResult* result) {
  for (const DriverFunction& known : tensor_map_functions()) {
    if (known.name != symbol) continue;
    const bool is_there = version >= known.since;
    *function = is_there ? known.function : nullptr;
    if (result != nullptr)
      *result = is_there ? cudaDriverEntryPointSuccess : cudaDriverEntryPointVersionNotSufficent;
    return true;
  }
  return false;
}

void look_up(const char* symbol, void** function, unsigned version, unsigned long long flags,
             cudaDriverEntryPointQueryResult* result) {
  if (symbol == nullptr || function == nullptr ||
      flags > (cudaEnableLegacyStream | cudaEnablePerThreadDefaultStream) ||
      version > CUDART_VERSION) {
    throw Failure{cudaErrorInvalidValue, ""};
  }
  runtime();  // explains host accesses
  if (finds(symbol, function, version, result)) return;
  *function = nullptr;
  if (result != nullptr) *result = cudaDriverEntryPointSymbolNotFound;
  {
    const std::lock_guard lock(wanted_mutex);
    wanted() = symbol;
  }
  memory::explain_null_calls(stop_at_call);
  explain(
      fmt::format("note: the program looks for {} of the driver; the simulator has none but the "
                  "functions that make tensor maps",
                  symbol));
}

}  // namespace
}  // namespace warpwise::cudart

using namespace warpwise::cudart;

extern "C" {

cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned version,
                                             unsigned long long flags,
                                             cudaDriverEntryPointQueryResult* result) {
  return call("cudaGetDriverEntryPointByVersion",
              [&] { look_up(symbol, function, version, flags, result); });
}

cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* result) {
  return call("cudaGetDriverEntryPoint",
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
  return call("cudaGetDriverEntryPoint",
              [&] { look_up(symbol, function, CUDART_VERSION, flags, result); });
}
}
