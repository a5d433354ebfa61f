#include <cuda_runtime_api.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "simulator/cudart/launch/launch.h"
#include "simulator/cudart/launch/registry.h"
#include "simulator/cudart/report/error.h"
#include "simulator/cudart/runtime.h"
#include "simulator/cudart/wrapper.h"
#include "simulator/memory/host_access.h"

// The functions that nvcc's generated constructors call, before main and once per translation unit.
namespace warpwise::cudart {
namespace {

std::unique_ptr<Image> read_wrapper(const void* address) {
  const auto& wrapper = *static_cast<const Wrapper*>(address);
  if (wrapper.magic != Wrapper::right_magic) {
    return std::make_unique<Image>(std::string(
        "simulator: the program registers device code in a format that CUDA 13 does not write; "
        "rebuild it with nvcc 13"));
  }
  return std::make_unique<Image>(wrapper.container,
                                 wrapper.version == 1 ? nullptr : wrapper.prelinked);
}

/// Gives the handle even where the image lacks code for this GPU.
void get_kernel(cudaKernel_t* kernel, const void* host_function) {
  given(kernel);
  Kernel* found = registry().kernel(host_function);
  if (found == nullptr) throw Failure{cudaErrorInvalidDeviceFunction, ""};
  *kernel = reinterpret_cast<cudaKernel_t>(found);
  found->image->module();
}

Image* image_of(void** handle) { return reinterpret_cast<Image*>(handle); }

struct CallConfiguration {
  dim3 grid, block;
  std::size_t shared_bytes = 0;
  cudaStream_t stream = nullptr;
  CallSite launch;
};

// A launch inside the arguments of a launch nests, so this is a stack.
thread_local std::vector<CallConfiguration> configurations;

}  // namespace
}  // namespace warpwise::cudart

using namespace warpwise::cudart;

extern "C" {

void** __cudaRegisterFatBinary(void* wrapper) {
  return reinterpret_cast<void**>(registry().add_image(read_wrapper(wrapper)));
}

void __cudaRegisterFatBinaryEnd(void**) {}

void __cudaUnregisterFatBinary(void** handle) {
  if (!registry().is_image(handle)) return;
  drain();
  registry().forget(image_of(handle));
}

void __cudaRegisterFunction(void** handle, const char* host_function, char*, const char* name, int,
                            uint3*, uint3*, dim3*, dim3*, int*) {
  registry().add_function(host_function, registry().add_kernel(image_of(handle), name));
}

void __cudaRegisterVar(void** handle, char* host_variable, char*, const char* name, int,
                       size_t bytes, int, int) {
  warpwise::memory::add_shadow(host_variable, bytes, name);
  registry().add_variable(host_variable, {image_of(handle), name});
}

void __cudaRegisterManagedVar(void** handle, void** pointer, char*, const char* name, int, size_t,
                              int, int) {
  // Host code names the variable by the address of its shadow pointer.
  registry().add_variable(pointer, {image_of(handle), name, pointer});
}

char __cudaInitModule(void** handle) {
  return call("__cudaInitModule", [&] { place_managed(*image_of(handle)); }) == cudaSuccess ? 1 : 0;
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes,
                                     cudaStream_t stream) {
  configurations.push_back({grid, block, shared_bytes, stream, call_site()});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes,
                                       void* stream) {
  if (configurations.empty()) {
    return call_always("__cudaPopCallConfiguration", [] {
      throw Failure{cudaErrorMissingConfiguration, ""};
    });
  }
  CallConfiguration top = std::move(configurations.back());
  configurations.pop_back();
  *grid = top.grid;
  *block = top.block;
  *shared_bytes = top.shared_bytes;
  *static_cast<cudaStream_t*>(stream) = top.stream;
  set_configured_launch(std::move(top.launch));
  return cudaSuccess;
}

// Only the handle: a device error that is known already must not hide the launch's own code.
cudaError_t cudaGetKernel(cudaKernel_t* kernel, const void* host_function) {
  return call_always("cudaGetKernel", [&] { get_kernel(kernel, host_function); });
}

cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host_function) {
  return call_always(launch_syntax, [&] {
    try {
      get_kernel(kernel, host_function);
    } catch (const Failure& failure) {
      throw Failure{failure.error, ""};  // The launch reports the reason.
    }
  });
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t* function, const void* host_function) {
  return call_after_fault("cudaGetFuncBySymbol", [&] {
    if (registry().kernel(host_function) == nullptr)
      throw Failure{cudaErrorInvalidDeviceFunction, "the address is not a __global__ function"};
    need_device();
    const auto handle = reinterpret_cast<cudaFunction_t>(&find_kernel(host_function).kernel);
    if (function != nullptr) *function = handle;
  });
}
}
