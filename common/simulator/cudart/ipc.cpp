#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>

#include "simulator/cudart/error.h"
#include "simulator/cudart/event.h"
#include "simulator/cudart/pool.h"
#include "simulator/cudart/runtime.h"

// Handles by which another process would open memory and events. Giving them out is like on a GPU,
// and so is the refusal to open what the process itself owns; between processes of the simulator
// nothing is shared.
namespace warpwise::cudart {
namespace {

enum class Shared : std::uint32_t { memory = 0x4d454d31, event = 0x45565431 };

/// What a handle holds; the rest of it is zero.
struct Ticket {
  Shared what;
  std::uint32_t process;
  std::uint64_t address;
};

template <typename Handle>
void write(Handle* handle, Shared what, std::uint64_t address) {
  given(handle) = {};
  const Ticket ticket = {what, static_cast<std::uint32_t>(getpid()), address};
  std::memcpy(handle, &ticket, sizeof ticket);
}

/// @throws Failure always: with `unknown` where the handle is none.
template <typename Handle>
void open_own(const Handle& handle, Shared what, cudaError_t unknown) {
  Ticket ticket;
  std::memcpy(&ticket, &handle, sizeof ticket);
  if (ticket.what != what) throw Failure{unknown, "the bytes are no handle"};
  if (ticket.process == static_cast<std::uint32_t>(getpid())) {
    throw Failure{cudaErrorDeviceUninitialized,
                  "a process cannot open what it owns: pass the handle to another process"};
  }
  stop_unsupported(
      "simulator: opening memory or events of another process is not available in the simulator");
}

}  // namespace
}  // namespace warpwise::cudart

using namespace warpwise::cudart;

extern "C" {

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* pointer) {
  return call_after_fault("cudaIpcGetMemHandle", [&] {
    given(pointer);
    need_device();
    const auto address = reinterpret_cast<std::uint64_t>(pointer);
    const auto* found = runtime().memory.find(address);
    if (found == nullptr || found->kind != warpwise::memory::Kind::device ||
        is_of_pool(found->base)) {
      throw Failure{cudaErrorInvalidValue, "only memory from cudaMalloc has a handle"};
    }
    write(handle, Shared::memory, found->base);
  });
}

cudaError_t cudaIpcOpenMemHandle(void** pointer, cudaIpcMemHandle_t handle, unsigned flags) {
  return call_after_fault("cudaIpcOpenMemHandle", [&] {
    given(pointer);
    need_device();
    if ((flags & cudaIpcMemLazyEnablePeerAccess) == 0) {
      throw Failure{cudaErrorInvalidValue, "the flags are cudaIpcMemLazyEnablePeerAccess"};
    }
    open_own(handle, Shared::memory, cudaErrorInvalidValue);
  });
}

cudaError_t cudaIpcCloseMemHandle(void*) {
  return call("cudaIpcCloseMemHandle", [] {
    throw Failure{cudaErrorInvalidValue, "the pointer does not come from cudaIpcOpenMemHandle"};
  });
}

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t* handle, cudaEvent_t event) {
  return call_after_fault("cudaIpcGetEventHandle", [&] {
    given(event), given(handle);
    need_device();
    if (!find_event(event)->shared) {
      throw Failure{cudaErrorInvalidResourceHandle,
                    "create the event with cudaEventInterprocess | cudaEventDisableTiming"};
    }
    write(handle, Shared::event, reinterpret_cast<std::uint64_t>(event));
  });
}

cudaError_t cudaIpcOpenEventHandle(cudaEvent_t* event, cudaIpcEventHandle_t handle) {
  return call_after_fault("cudaIpcOpenEventHandle", [&] {
    given(event);
    need_device();
    open_own(handle, Shared::event, cudaErrorMapBufferObjectFailed);
  });
}
}
