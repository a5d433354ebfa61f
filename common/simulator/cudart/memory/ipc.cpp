#include <cuda_runtime_api.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>

#include "simulator/cudart/memory/pool.h"
#include "simulator/cudart/memory/shared_memory.h"
#include "simulator/cudart/memory/shared_state.h"
#include "simulator/cudart/queue/event.h"
#include "simulator/cudart/report/error.h"
#include "simulator/cudart/runtime.h"

// Memory and events that several processes use, by handles. Device memory is in a file without a
// name, which another process opens through the system's list of this one's files.
namespace warpwise::cudart {
namespace {

/// Memory of another process that this one has opened.
struct Opened {
  std::uint64_t name = 0;
  unsigned times = 0;
};

struct SharedMemory {
  std::mutex mutex;
  std::map<std::uint64_t, std::shared_ptr<SharedFile>> given;  ///< away; by start
  std::map<std::uint64_t, Opened> opened;                      ///< by start
};

SharedMemory& shared() {
  static auto& all = *new SharedMemory;
  return all;
}

template <typename Handle>
void write_ticket(Handle* handle, const Ticket& ticket) {
  static_assert(sizeof(Ticket) <= sizeof(Handle));
  given(handle) = {};
  std::memcpy(handle, &ticket, sizeof ticket);
}

/// @throws Failure `unknown` where the handle is not another process's.
template <typename Handle>
Ticket foreign_ticket(const Handle& handle, Ticket::Of what, cudaError_t unknown) {
  Ticket ticket;
  std::memcpy(&ticket, &handle, sizeof ticket);
  if (ticket.what != what) throw Failure{unknown, "the bytes are not a handle"};
  if (ticket.process == static_cast<std::uint32_t>(getpid())) {
    throw Failure{cudaErrorDeviceUninitialized,
                  "a process cannot open what it owns: pass the handle to another process"};
  }
  return ticket;
}

/// Gives the allocation away, once.
std::shared_ptr<SharedFile> give(const memory::Allocation& allocation) {
  Runtime& device = runtime();
  const std::lock_guard lock(shared().mutex);
  std::shared_ptr<SharedFile>& file = shared().given[allocation.base];
  if (file != nullptr) return file;
  auto fresh = std::make_shared<SharedFile>();
  device.queue.wait_for_all();
  const auto place = device.memory.share(allocation.base);
  if (place.file < 0) throw Failure{cudaErrorMemoryAllocation, "the system refuses to share it"};
  SharedState& state = fresh->state();
  state.file = place.file, state.offset = place.offset, state.bytes = allocation.bytes;
  return file = std::move(fresh);
}

/// Opens memory of another process, or opens it once more.
std::uint64_t open_memory(const Ticket& ticket) {
  const std::lock_guard lock(shared().mutex);
  for (auto& [base, opened] : shared().opened)
    if (opened.name == ticket.name) return ++opened.times, base;
  const Failure gone{cudaErrorInvalidValue,
                     "the process that owns the memory has freed it, or has ended"};
  const std::shared_ptr<SharedFile> file = SharedFile::open(ticket);
  if (file == nullptr) throw gone;
  const SharedState& state = file->state();
  const int memory_file = open_file_of(ticket.process, state.file);
  if (memory_file < 0) throw gone;
  const memory::Allocation* found = runtime().memory.open({memory_file, state.offset}, state.bytes);
  ::close(memory_file);
  if (found == nullptr) throw Failure{cudaErrorMapBufferObjectFailed, "the system refuses"};
  shared().opened[found->base] = {ticket.name, 1};
  return found->base;
}

void close_memory(std::uint64_t base) {
  const std::lock_guard lock(shared().mutex);
  const auto found = shared().opened.find(base);
  if (found == shared().opened.end())
    throw Failure{cudaErrorInvalidValue, "the pointer does not come from cudaIpcOpenMemHandle"};
  if (--found->second.times > 0) return;
  shared().opened.erase(found);
  runtime().queue.wait_for_all();
  runtime().memory.release(base);
}

}  // namespace

void forget_shared_memory(std::uint64_t base) {
  const std::lock_guard lock(shared().mutex);
  shared().given.erase(base);
}

void forget_all_shared_memory() {
  const std::lock_guard lock(shared().mutex);
  shared().given.clear();
  shared().opened.clear();
}

}  // namespace warpwise::cudart

using namespace warpwise::cudart;

extern "C" {

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* pointer) {
  return call_after_fault("cudaIpcGetMemHandle", [&] {
    given(pointer);
    need_device();
    const auto address = reinterpret_cast<std::uint64_t>(pointer);
    const auto* found = runtime().memory.find(address);
    if (found == nullptr || found->kind != warpwise::memory::Kind::device || found->is_foreign ||
        is_of_pool(found->base)) {
      throw Failure{cudaErrorInvalidValue, "only memory from cudaMalloc has a handle"};
    }
    given(handle);
    write_ticket(handle, give(*found)->ticket(Ticket::Of::memory));
  });
}

cudaError_t cudaIpcOpenMemHandle(void** pointer, cudaIpcMemHandle_t handle, unsigned flags) {
  return call_after_fault("cudaIpcOpenMemHandle", [&] {
    given(pointer);
    need_device();
    if ((flags & cudaIpcMemLazyEnablePeerAccess) == 0) {
      throw Failure{cudaErrorInvalidValue, "the flags are cudaIpcMemLazyEnablePeerAccess"};
    }
    const Ticket ticket = foreign_ticket(handle, Ticket::Of::memory, cudaErrorInvalidValue);
    *pointer = reinterpret_cast<void*>(open_memory(ticket));
  });
}

cudaError_t cudaIpcCloseMemHandle(void* pointer) {
  return call("cudaIpcCloseMemHandle",
              [&] { close_memory(reinterpret_cast<std::uint64_t>(pointer)); });
}

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t* handle, cudaEvent_t event) {
  return call_after_fault("cudaIpcGetEventHandle", [&] {
    given(event), given(handle);
    need_device();
    const EventPtr asked = find_event(event);
    if (asked->shared == nullptr || asked->is_foreign) {
      throw Failure{cudaErrorInvalidResourceHandle,
                    "create the event with cudaEventInterprocess | cudaEventDisableTiming"};
    }
    write_ticket(handle, asked->shared->ticket(Ticket::Of::event));
  });
}

cudaError_t cudaIpcOpenEventHandle(cudaEvent_t* event, cudaIpcEventHandle_t handle) {
  return call_after_fault("cudaIpcOpenEventHandle", [&] {
    given(event);
    need_device();
    const Ticket ticket = foreign_ticket(handle, Ticket::Of::event, cudaErrorMapBufferObjectFailed);
    auto file = SharedFile::open(ticket);
    if (file == nullptr) {
      throw Failure{cudaErrorMapBufferObjectFailed,
                    "the process that owns the event has destroyed it, or has ended"};
    }
    *event = open_event(std::move(file));
  });
}
}
