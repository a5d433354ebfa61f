#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <set>

#include "simulator/cudart/graphs/graph_memory.h"
#include "simulator/cudart/memory/allocation_sites.h"
#include "simulator/cudart/memory/host_memory.h"
#include "simulator/cudart/memory/managed.h"
#include "simulator/cudart/memory/pool.h"
#include "simulator/cudart/memory/registered_pages.h"
#include "simulator/cudart/queue/capture.h"
#include "simulator/cudart/queue/host_flags.h"
#include "simulator/cudart/queue/operations.h"
#include "simulator/cudart/queue/overlap.h"
#include "simulator/cudart/queue/stream.h"
#include "simulator/cudart/report/error.h"
#include "simulator/cudart/report/source_place.h"
#include "simulator/cudart/runtime.h"
#include "simulator/memory/host_access.h"

namespace warpwise::cudart {
namespace {

/// @throws Failure after a fault, and during a capture.
void may_allocate() {
  need_device();
  forbid_while_capturing();
}

void allocate(void** pointer, std::size_t bytes, memory::Kind kind) {
  if (!memory::is_readable_by_host(reinterpret_cast<std::uint64_t>(pointer)))
    throw Failure{
        cudaErrorInvalidValue,
        fmt::format("the address of the new memory cannot be written to {}; pass the "
                    "address of a pointer, &x, not its value",
                    pointer == nullptr ? "a null pointer" : "where this program has no memory"),
        "null-pointer"};
  if (bytes != 0) may_allocate();
  *pointer = nullptr;
  if (bytes == 0) return;
  Runtime& device = runtime();
  if (device.queue.is_in_flight()) count(Counted::allocations_in_flight);
  const memory::Allocation* fresh = device.memory.allocate(bytes, kind);
  if (fresh == nullptr) {
    throw Failure{cudaErrorMemoryAllocation,
                  fmt::format("{} bytes asked for, {} of {} are free", bytes,
                              device.memory.capacity_bytes() - device.memory.used_bytes(),
                              device.memory.capacity_bytes())};
  }
  if (kind == memory::Kind::device || kind == memory::Kind::managed)
    device.memory.track(fresh->base);
  remember_allocation(fresh->base);
  *pointer = reinterpret_cast<void*>(fresh->base);
}

/// Of the current device. A GPU hands memory out in pieces of 2 MB, and keeps some for the context:
/// this much on an H100.
std::size_t free_bytes_of(const warpwise::memory::AddressSpace& memory) {
  constexpr std::size_t piece = 2 << 20, context = 552402944;
  const std::size_t used = memory.used_bytes() + bytes_kept_by_pools();
  const std::size_t taken = context + (used + piece - 1) / piece * piece;
  return memory.capacity_bytes() - std::min<std::size_t>(taken, memory.capacity_bytes());
}

[[noreturn]] void refuse_free(std::string why) {
  throw Failure{cudaErrorInvalidValue, std::move(why), "invalid-free"};
}

[[noreturn]] void refuse_unregister(std::uint64_t start) {
  const memory::Allocation* before = runtime().memory.nearest(start);
  const bool was_registered = before != nullptr && before->base == start && !before->live &&
                              before->kind == memory::Kind::registered;
  throw Failure{cudaErrorHostMemoryNotRegistered,
                was_registered ? "this memory was unregistered before: once is enough"
                               : "this memory is not registered: pass what cudaHostRegister was "
                                 "given; memory from cudaMallocHost goes back with cudaFreeHost",
                "invalid-free"};
}

/// The live allocation that starts at the pointer. @throws Failure that says what the pointer is.
const memory::Allocation& allocation_at(const void* pointer, bool host_kind) {
  const memory::AddressSpace& memory = runtime().memory;
  const std::uint64_t address = address_of(pointer);
  const memory::Allocation* found = memory.find(address);
  const char* owner = host_kind ? "cudaMallocHost or cudaHostAlloc" : "cudaMalloc";
  if (found == nullptr) {
    const memory::Allocation* near = memory.nearest(address);
    const bool freed = near != nullptr && near->base == address && !near->live;
    refuse_free(freed ? fmt::format("{} was freed already{}; free it once", near->describe(),
                                    other_place(free_site(address)))
                      : fmt::format("the pointer does not come from {}", owner));
  }
  if (found->base != address) {
    refuse_free(fmt::format("the pointer is {} bytes into {}; pass its beginning",
                            address - found->base, found->describe()));
  }
  const bool not_allocated =
      found->kind == memory::Kind::variable || found->kind == memory::Kind::constant ||
      found->kind == memory::Kind::heap || found->kind == memory::Kind::registered;
  if (is_host_memory(found->kind) != host_kind || not_allocated) {
    refuse_free(fmt::format("{} does not come from {}", found->describe(), owner));
  }
  return *found;
}

/// Allocations that cudaFreeAsync has promised to free.
struct Leaving {
  std::mutex mutex;
  std::set<std::uint64_t> bases;
};
Leaving& leaving() {
  static auto& all = *new Leaving;
  return all;
}

[[noreturn]] void refuse_leaving(std::uint64_t base) {
  refuse_free(fmt::format("cudaFreeAsync has freed {} already; free it once",
                          runtime().memory.find(base)->describe()));
}

/// Waits for the device that the memory belongs to and for those that have access to it.
void wait_for_users(const memory::Allocation& allocation) {
  Runtime& all = runtime();
  for (int device = 0; device < all.memory.devices(); ++device)
    if (all.memory.reaches(device, allocation)) all.queue.wait_for_device(device);
}

void free_now(const void* pointer, bool host_kind) {
  forbid_while_capturing();
  if (pointer == nullptr) return;
  const std::uint64_t base = allocation_at(pointer, host_kind).base;
  {
    const std::lock_guard lock(leaving().mutex);
    if (leaving().bases.count(base)) refuse_leaving(base);
  }
  // Freeing waits for the device, as the real runtime does: a kernel may still be using the memory.
  if (runtime().queue.is_in_flight()) count(Counted::allocations_in_flight);
  // Memory of a pool differs: on an H100 it is gone at once, and a running kernel faults.
  const memory::Allocation& found = *runtime().memory.find(base);
  const int owner = found.device;
  if (!is_of_pool(base)) wait_for_users(found);
  if (!free_graph_memory(base, nullptr)) {
    give_back_to_pool(base);
    remember_free(base);
    forget_flags(base);
    const memory::Allocation* gone = runtime().memory.find(base);
    if (gone != nullptr && gone->kind == memory::Kind::managed) forget_advice(base, gone->bytes);
    runtime().memory.release(base);
  }
  after_wait(owner);
}

void free_later(std::uint64_t base, const StreamPtr& stream) {
  {
    const std::lock_guard lock(leaving().mutex);
    if (!leaving().bases.insert(base).second) refuse_leaving(base);
  }
  remember_free(base);
  const bool pooled = is_of_pool(base);
  const OperationPtr end = runtime().queue.issue(*stream, [base, pooled, from = call_site()] {
    const memory::Allocation* allocation = runtime().memory.find(base);
    if (allocation != nullptr && !faulted()) compare_release(base, allocation->bytes, from);
    if (allocation != nullptr && pooled) free_pool_memory(allocation->device, allocation->bytes);
    runtime().memory.release(base);
    const std::lock_guard lock(leaving().mutex);
    leaving().bases.erase(base);
  });
  give_back_to_pool(base, end, stream);
}

void host_allocate(void** pointer, std::size_t bytes, unsigned flags) {
  constexpr unsigned known =
      cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
  if (bytes != 0) may_allocate();
  if ((flags & ~known) != 0) throw Failure{cudaErrorInvalidValue, "unknown flags"};
  const bool mapped = (flags & cudaHostAllocMapped) != 0;
  allocate(pointer, bytes, mapped ? memory::Kind::mapped : memory::Kind::pinned);
  if (bytes != 0) remember_flags_of_allocation(address_of(*pointer), bytes, flags);
}

}  // namespace

bool is_page_locked(const void* pointer) {
  const memory::Allocation* found = runtime().memory.find(address_of(pointer));
  return found != nullptr && is_host_memory(found->kind);
}

}  // namespace warpwise::cudart

using namespace warpwise::cudart;
using warpwise::memory::Allocation;
using warpwise::memory::Kind;

extern "C" {

cudaError_t cudaMalloc(void** pointer, size_t bytes) {
  return call_without_device("cudaMalloc", [&] { allocate(pointer, bytes, Kind::device); });
}

cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  return call_without_device("cudaMallocPitch", [&] {
    constexpr std::size_t alignment = 512;
    given(pointer), given(pitch);
    if (width != 0 && height != 0) may_allocate();
    *pitch = (width + alignment - 1) / alignment * alignment;
    if (height != 0 && *pitch > SIZE_MAX / height) throw Failure{cudaErrorMemoryAllocation, ""};
    allocate(pointer, *pitch * height, Kind::device);
    if (*pointer != nullptr) runtime().memory.divide(address_of(*pointer), width, *pitch);
  });
}

cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned flags) {
  return call_without_device("cudaMallocManaged", [&] {
    if (bytes != 0 && flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) {
      throw Failure{cudaErrorInvalidValue, "the flags must be cudaMemAttachGlobal or ...Host"};
    }
    allocate(pointer, bytes, Kind::managed);
  });
}

cudaError_t cudaFree(void* pointer) {
  return call("cudaFree", [&] { free_now(pointer, false); });
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  return call("cudaFreeAsync", [&] {
    const StreamPtr target = memory_stream(stream);
    if (pointer == nullptr) return;
    const std::uint64_t base = allocation_at(pointer, false).base;
    if (runtime().memory.find(base)->kind == Kind::managed)
      throw Failure{cudaErrorNotSupported, "managed memory is freed with cudaFree"};
    if (capture_of(*target) != nullptr && !is_graph_memory(base) && !is_of_pool(base))
      throw Failure{cudaErrorInvalidValue, "no node of a graph allocates this memory"};
    if (capture(target, FreeWork{pointer}) != nullptr || free_graph_memory(base, &*target)) return;
    free_later(base, target);
  });
}

cudaError_t cudaMallocHost(void** pointer, size_t bytes) {
  return call_after_fault("cudaMallocHost",
                          [&] { host_allocate(pointer, bytes, cudaHostAllocDefault); });
}

cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned flags) {
  return call_after_fault("cudaHostAlloc", [&] { host_allocate(pointer, bytes, flags); });
}

cudaError_t cudaFreeHost(void* pointer) {
  return call("cudaFreeHost", [&] { free_now(pointer, true); });
}

cudaError_t cudaHostGetDevicePointer(void** device_pointer, void* host_pointer, unsigned flags) {
  return call_without_device("cudaHostGetDevicePointer", [&] {
    given(host_pointer);
    need_device();
    given(device_pointer);
    if (flags != 0) throw Failure{cudaErrorInvalidValue, ""};
    const Allocation* found = runtime().memory.find(address_of(host_pointer));
    if (found == nullptr || !is_host_memory(found->kind)) {
      throw Failure{cudaErrorInvalidValue, "the pointer does not come from cudaHostAlloc"};
    }
    *device_pointer = host_pointer;
  });
}

cudaError_t cudaHostGetFlags(unsigned* flags, void* pointer) {
  return call_without_device("cudaHostGetFlags", [&] {
    given(flags);
    need_device();
    const Allocation* found = runtime().memory.find(address_of(pointer));
    const bool managed = found != nullptr && found->kind == Kind::managed;
    if (found == nullptr || (!managed && !is_host_memory(found->kind))) {
      throw Failure{cudaErrorInvalidValue, "the pointer does not come from cudaHostAlloc"};
    }
    *flags = managed ? cudaHostAllocMapped : flags_of(found->base);
  });
}

cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned flags) {
  return call("cudaHostRegister", [&] {
    // Memory of other devices (cudaHostRegisterIoMemory) is never memory that the host allocated.
    constexpr unsigned known =
        cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterReadOnly;
    forbid_while_capturing();
    warpwise::memory::AddressSpace& memory = runtime().memory;
    const std::uint64_t start = address_of(pointer);
    if (pointer == nullptr || bytes == 0 || (flags & ~known) != 0 || memory.contains(start)) {
      throw Failure{cudaErrorInvalidValue, "only memory of the host can be registered"};
    }
    if (memory.adopt(start, bytes) == nullptr) {
      throw Failure{cudaErrorHostMemoryAlreadyRegistered, ""};
    }
    remember_flags_of_registered(start, flags);
  });
}

cudaError_t cudaHostUnregister(void* pointer) {
  return call("cudaHostUnregister", [&] {
    forbid_while_capturing();
    const std::uint64_t start = address_of(pointer);
    const Allocation* found = runtime().memory.find(start);
    if (pointer != nullptr && found == nullptr) refuse_unregister(start);
    if (found == nullptr || found->base != start || found->kind != Kind::registered) {
      throw Failure{cudaErrorInvalidValue, "pass the pointer that was registered"};
    }
    runtime().queue.wait_for_all();
    open_registered(start);
    forget_flags(start);
    runtime().memory.release(start);
  });
}

cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  return call("cudaMemGetInfo", [&] {
    const auto& memory = runtime().memory;
    if (free_bytes != nullptr) *free_bytes = free_bytes_of(memory);
    if (total_bytes != nullptr) *total_bytes = memory.capacity_bytes();
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return call_without_device("cudaPointerGetAttributes", [&] {
    store(attributes, cudaPointerAttributes{});
    auto* address = const_cast<void*>(pointer);
    const Allocation* found = runtime().memory.find(address_of(pointer));
    // The heap of kernels is not an allocation of the program's.
    if (found != nullptr && found->kind == Kind::heap) found = nullptr;
    attributes->type = cudaMemoryTypeUnregistered;
    attributes->device = -2;  // The real runtime's answer for unknown memory.
    if (found == nullptr) {
      attributes->hostPointer = address;
      return;
    }
    attributes->device = found->device;
    attributes->devicePointer = address;
    const bool managed = found->kind == Kind::managed, host = is_host_memory(found->kind);
    attributes->type = managed ? cudaMemoryTypeManaged
                       : host  ? cudaMemoryTypeHost
                               : cudaMemoryTypeDevice;
    if (managed || host) attributes->hostPointer = address;
  });
}
}
