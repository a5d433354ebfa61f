#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <mutex>
#include <string>

#include "simulator/cudart/console.h"
#include "simulator/cudart/error.h"
#include "simulator/cudart/runtime.h"
#include "simulator/memory/host_access.h"

// Programs that look for functions of the driver find none: there is no driver behind the
// simulator.
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

void look_up(const char* symbol, void** function, unsigned long long flags,
             cudaDriverEntryPointQueryResult* result) {
  if (symbol == nullptr || function == nullptr || flags > cudaEnablePerThreadDefaultStream) {
    throw Failure{cudaErrorInvalidValue, ""};
  }
  *function = nullptr;
  if (result != nullptr) *result = cudaDriverEntryPointSymbolNotFound;
  runtime();  // explains host accesses
  {
    const std::lock_guard lock(wanted_mutex);
    wanted() = symbol;
  }
  memory::explain_null_calls(stop_at_call);
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
