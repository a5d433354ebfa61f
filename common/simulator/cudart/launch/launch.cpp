#include "simulator/cudart/launch/launch.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "simulator/cudart/device/settings.h"
#include "simulator/cudart/launch/launch_checks.h"
#include "simulator/cudart/launch/submit.h"
#include "simulator/cudart/queue/capture.h"
#include "simulator/cudart/queue/operations.h"
#include "simulator/cudart/queue/stream.h"
#include "simulator/cudart/report/error.h"
#include "simulator/cudart/runtime.h"
#include "simulator/memory/host_access.h"
#include "simulator/memory/pages.h"

namespace warpwise::cudart {
namespace {

thread_local CallSite configured_launch;

/// Checks the pointers to a launch's arguments; a list that is too short lacks some.
class ArgumentCheck {
 public:
  /// @throws Failure where there is nothing at the address, or the host cannot read it.
  void check(const void* argument, std::size_t index, std::size_t count) {
    const std::uint64_t page = memory::page_start(reinterpret_cast<std::uint64_t>(argument));
    if (page == good_page_) return;  // Most arguments are on the same page.
    const memory::Allocation* of_device =
        runtime().memory.find(reinterpret_cast<std::uint64_t>(argument));
    if (of_device != nullptr && !memory::is_host_memory(of_device->kind) &&
        of_device->kind != memory::Kind::managed)
      throw Failure{cudaErrorInvalidValue,
                    fmt::format("argument {} of {} in the list is an address of {}, which the host "
                                "cannot read; the list holds the address of each argument: &x "
                                "for a pointer x",
                                index + 1, count, of_device->describe()),
                    "device-pointer-on-host"};
    if (!memory::is_host_memory(page)) {
      throw Failure{cudaErrorInvalidValue,
                    fmt::format("argument {} of {} is not at the address in the list of "
                                "arguments; the list holds a pointer to each argument",
                                index + 1, count)};
    }
    good_page_ = page;
  }

 private:
  std::uint64_t good_page_ = ~0ull;
};

std::vector<std::byte> pack(const machine::KernelInfo& info, void** arguments) {
  std::vector<std::byte> bytes(info.parameter_bytes);
  if (!info.parameters.empty() && arguments == nullptr) {
    throw Failure{cudaErrorInvalidValue, "the kernel has parameters, but no arguments were given"};
  }
  ArgumentCheck arguments_there;
  for (std::size_t i = 0; i < info.parameters.size(); ++i) {
    arguments_there.check(arguments[i], i, info.parameters.size());
    const machine::Parameter& parameter = info.parameters[i];
    if (parameter.offset + parameter.bytes > bytes.size()) {
      bytes.resize(parameter.offset + parameter.bytes);
    }
    std::memcpy(bytes.data() + parameter.offset, arguments[i], parameter.bytes);
  }
  return bytes;
}

cudaError_t launch_call(const char* function, const LaunchRequest& request) {
  return call_after_fault(function, [&] { launch(function, request); });
}

}  // namespace

void set_configured_launch(CallSite place) { configured_launch = std::move(place); }

KernelWork kernel_work(const LaunchRequest& request) {
  const FoundKernel found = find_kernel(request.function);
  return {request.function,
          request.grid,
          request.block,
          request.shared_bytes,
          pack(found.info, request.arguments),
          request.attributes};
}

void launch(const char* function, const LaunchRequest& request) {
  if (request.function == nullptr) find_kernel(nullptr);
  need_device();
  Runtime& device = runtime();
  device.output().show();
  const StreamPtr asked = find_stream(request.stream);
  report_other_device(*asked, function);
  const memory::OnDevice there(asked->device);
  const StreamPtr target = working_stream(request.stream);
  find_kernel(request.function);  // No capture is spoilt without.
  OperationPtr issued;
  try {
    check_shape({request.function, request.grid, request.block, request.shared_bytes, {}, {}});
    issued = submit(request.stream, kernel_work(request));
  } catch (const Failure&) {
    spoil_capture(*target);
    throw;
  }
  if (issued != nullptr) count(Counted::launch_calls);
  if (issued != nullptr && settings().launch_blocking) {
    device.queue.wait(issued);
    after_wait();
  }
}

}  // namespace warpwise::cudart

using namespace warpwise::cudart;

extern "C" {

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               size_t shared_bytes, cudaStream_t stream) {
  const CalledFrom launch(std::exchange(configured_launch, {}));
  const cudaError_t error =
      launch_call(launch_syntax, {kernel, grid, block, arguments, shared_bytes, stream, {}});
  if (error != cudaSuccess) set_unread_launch(error);
  return error;
}

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             size_t shared_bytes, cudaStream_t stream) {
  return launch_call("cudaLaunchKernel",
                     {function, grid, block, arguments, shared_bytes, stream, {}});
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function,
                                void** arguments) {
  return call_without_device("cudaLaunchKernelExC", [&] {
    given(config);
    LaunchRequest request = {function,  config->gridDim,          config->blockDim,
                             arguments, config->dynamicSmemBytes, config->stream,
                             {}};
    for (unsigned i = 0; i < config->numAttrs; ++i) {
      request.attributes[config->attrs[i].id] = config->attrs[i].val;
    }
    request.attributes.erase(cudaLaunchAttributeIgnore);
    launch("cudaLaunchKernelExC", request);
  });
}

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block,
                                        void** arguments, size_t shared_bytes,
                                        cudaStream_t stream) {
  return call_after_fault("cudaLaunchCooperativeKernel", [&] {
    LaunchRequest request = {function, grid, block, arguments, shared_bytes, stream, {}};
    request.attributes[cudaLaunchAttributeCooperative].cooperative = 1;
    launch("cudaLaunchCooperativeKernel", request);
  });
}
}
