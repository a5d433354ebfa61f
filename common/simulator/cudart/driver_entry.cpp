#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include "simulator/cudart/console.h"
#include "simulator/cudart/error.h"

// Programs that look for functions of the driver find none: there is no driver behind the
// simulator.
namespace warpwise::cudart {
namespace {

void look_up(const char* symbol, void** function, unsigned long long flags,
             cudaDriverEntryPointQueryResult* result) {
  if (symbol == nullptr || function == nullptr || flags > cudaEnablePerThreadDefaultStream) {
    throw Failure{cudaErrorInvalidValue, ""};
  }
  *function = nullptr;
  if (result != nullptr) *result = cudaDriverEntryPointSymbolNotFound;
  explain(fmt::format("note: the program looks for {} of the driver; the simulator has no driver",
                      symbol));
}

}  // namespace
}  // namespace warpwise::cudart

using namespace warpwise::cudart;

extern "C" {

cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned,
                                             unsigned long long flags,
                                             cudaDriverEntryPointQueryResult* result) {
  return call("cudaGetDriverEntryPointByVersion",
              [&] { look_up(symbol, function, flags, result); });
}

cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* result) {
  return call("cudaGetDriverEntryPoint", [&] { look_up(symbol, function, flags, result); });
}

cudaError_t cudaGetDriverEntryPointByVersion_ptsz(const char* symbol, void** function,
                                                  unsigned version, unsigned long long flags,
                                                  cudaDriverEntryPointQueryResult* result) {
  return cudaGetDriverEntryPointByVersion(symbol, function, version, flags, result);
}

cudaError_t cudaGetDriverEntryPoint_ptsz(const char* symbol, void** function,
                                         unsigned long long flags,
                                         cudaDriverEntryPointQueryResult* result) {
  return call("cudaGetDriverEntryPoint", [&] { look_up(symbol, function, flags, result); });
}
}
