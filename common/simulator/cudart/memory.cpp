#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <mutex>

#include "simulator/cudart/capture.h"
#include "simulator/cudart/error.h"
#include "simulator/cudart/host_memory.h"
#include "simulator/cudart/pool.h"
#include "simulator/cudart/runtime.h"
#include "simulator/cudart/stream.h"

namespace warpwise::cudart {
namespace {

std::uint64_t address_of(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

void allocate(void** pointer, std::size_t bytes, memory::Kind kind) {
  if (pointer == nullptr) throw Failure{cudaErrorInvalidValue, "the pointer's address is null"};
  forbid_while_capturing();
  *pointer = nullptr;
  if (bytes == 0) return;
  Runtime& device = runtime();
  const memory::Allocation* fresh = device.memory.allocate(bytes, kind);
  if (fresh == nullptr) {
    throw Failure{cudaErrorMemoryAllocation,
                  fmt::format("{} bytes asked for, {} of {} are free", bytes,
                              device.memory.capacity_bytes() - device.memory.used_bytes(),
                              device.memory.capacity_bytes())};
  }
  *pointer = reinterpret_cast<void*>(fresh->base);
}

bool is_host_kind(memory::Kind kind) {
  return kind == memory::Kind::pinned || kind == memory::Kind::mapped;
}

[[noreturn]] void refuse_free(std::string why) {
  throw Failure{cudaErrorInvalidValue, std::move(why), "invalid-free"};
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
    refuse_free(freed ? fmt::format("{} was freed already; free it once", near->describe())
                      : fmt::format("the pointer does not come from {}", owner));
  }
  if (found->base != address) {
    refuse_free(fmt::format("the pointer is {} bytes into {}; pass its beginning",
                            address - found->base, found->describe()));
  }
  const bool of_the_device = found->kind == memory::Kind::variable ||
                             found->kind == memory::Kind::constant ||
                             found->kind == memory::Kind::heap;
  if (is_host_kind(found->kind) != host_kind || of_the_device) {
    refuse_free(fmt::format("{} does not come from {}", found->describe(), owner));
  }
  return *found;
}

void free_now(const void* pointer, bool host_kind) {
  // Freeing waits for the device, as the real runtime does: a kernel may still be using the memory.
  forbid_while_capturing();
  if (pointer == nullptr) return;
  const std::uint64_t base = allocation_at(pointer, host_kind).base;
  runtime().queue.wait_for_all();
  give_back_to_pool(base);
  runtime().memory.release(base);
  after_wait();
}

void host_allocate(void** pointer, std::size_t bytes, unsigned flags) {
  constexpr unsigned known =
      cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
  if ((flags & ~known) != 0) throw Failure{cudaErrorInvalidValue, "unknown flags"};
  const bool mapped = (flags & cudaHostAllocMapped) != 0;
  allocate(pointer, bytes, mapped ? memory::Kind::mapped : memory::Kind::pinned);
}

struct Registered {
  std::mutex mutex;
  std::map<std::uint64_t, std::size_t> ranges;  ///< start -> bytes, of cudaHostRegister.
};

Registered& registered() {
  static auto& all = *new Registered;
  return all;
}

}  // namespace

bool is_page_locked(const void* pointer) {
  const std::uint64_t address = address_of(pointer);
  const memory::Allocation* found = runtime().memory.find(address);
  if (found != nullptr) return is_host_kind(found->kind);
  const std::lock_guard lock(registered().mutex);
  auto range = registered().ranges.upper_bound(address);
  if (range == registered().ranges.begin()) return false;
  --range;
  return address - range->first < range->second;
}

}  // namespace warpwise::cudart

using namespace warpwise::cudart;
using warpwise::memory::Allocation;
using warpwise::memory::Kind;

extern "C" {

cudaError_t cudaMalloc(void** pointer, size_t bytes) {
  return call("cudaMalloc", [&] { allocate(pointer, bytes, Kind::device); });
}

cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  return call("cudaMallocPitch", [&] {
    constexpr std::size_t alignment = 512;
    if (pitch == nullptr) throw Failure{cudaErrorInvalidValue, ""};
    *pitch = (width + alignment - 1) / alignment * alignment;
    if (height != 0 && *pitch > SIZE_MAX / height) throw Failure{cudaErrorMemoryAllocation, ""};
    allocate(pointer, *pitch * height, Kind::device);
  });
}

cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned flags) {
  return call("cudaMallocManaged", [&] {
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) {
      throw Failure{cudaErrorInvalidValue, "the flags must be cudaMemAttachGlobal or ...Host"};
    }
    if (bytes == 0) throw Failure{cudaErrorInvalidValue, "managed memory of 0 bytes"};
    allocate(pointer, bytes, Kind::managed);
  });
}

cudaError_t cudaFree(void* pointer) {
  return call("cudaFree", [&] { free_now(pointer, false); });
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  return call("cudaFreeAsync", [&] {
    const StreamPtr target = find_stream(stream);
    if (pointer == nullptr) throw Failure{cudaErrorInvalidValue, "a null pointer"};
    const std::uint64_t base = allocation_at(pointer, false).base;
    if (capture(target, FreeWork{pointer}) != nullptr) return;
    give_back_to_pool(base);
    runtime().queue.issue(*target, [base] { runtime().memory.release(base); });
  });
}

cudaError_t cudaMallocHost(void** pointer, size_t bytes) {
  return call("cudaMallocHost", [&] { host_allocate(pointer, bytes, cudaHostAllocDefault); });
}

cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned flags) {
  return call("cudaHostAlloc", [&] { host_allocate(pointer, bytes, flags); });
}

cudaError_t cudaFreeHost(void* pointer) {
  return call("cudaFreeHost", [&] { free_now(pointer, true); });
}

cudaError_t cudaHostGetDevicePointer(void** device_pointer, void* host_pointer, unsigned flags) {
  return call("cudaHostGetDevicePointer", [&] {
    if (device_pointer == nullptr || flags != 0) throw Failure{cudaErrorInvalidValue, ""};
    const Allocation* found = runtime().memory.find(address_of(host_pointer));
    if (found == nullptr && is_page_locked(host_pointer)) {
      stop_unsupported(
          "simulator: kernels cannot reach memory of cudaHostRegister in the simulator; allocate "
          "it "
          "with cudaHostAlloc");
    }
    if (found == nullptr || !is_host_kind(found->kind)) {
      throw Failure{cudaErrorInvalidValue, "the pointer does not come from cudaHostAlloc"};
    }
    *device_pointer = host_pointer;
  });
}

cudaError_t cudaHostGetFlags(unsigned* flags, void* pointer) {
  return call("cudaHostGetFlags", [&] {
    const Allocation* found = runtime().memory.find(address_of(pointer));
    if (flags == nullptr || found == nullptr || !is_host_kind(found->kind)) {
      throw Failure{cudaErrorInvalidValue, "the pointer does not come from cudaHostAlloc"};
    }
    *flags = found->kind == Kind::mapped ? cudaHostAllocMapped : cudaHostAllocDefault;
  });
}

cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned) {
  return call("cudaHostRegister", [&] {
    if (pointer == nullptr || bytes == 0) throw Failure{cudaErrorInvalidValue, ""};
    if (is_page_locked(pointer)) throw Failure{cudaErrorHostMemoryAlreadyRegistered, ""};
    const std::lock_guard lock(registered().mutex);
    registered().ranges[address_of(pointer)] = bytes;
  });
}

cudaError_t cudaHostUnregister(void* pointer) {
  return call("cudaHostUnregister", [&] {
    runtime().queue.wait_for_all();
    const std::lock_guard lock(registered().mutex);
    if (registered().ranges.erase(address_of(pointer)) == 0) {
      throw Failure{cudaErrorHostMemoryNotRegistered, ""};
    }
  });
}

cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  return call("cudaMemGetInfo", [&] {
    const auto& memory = runtime().memory;
    if (free_bytes == nullptr || total_bytes == nullptr) throw Failure{cudaErrorInvalidValue, ""};
    *free_bytes = memory.capacity_bytes() - memory.used_bytes();
    *total_bytes = memory.capacity_bytes();
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return call("cudaPointerGetAttributes", [&] {
    if (attributes == nullptr) throw Failure{cudaErrorInvalidValue, ""};
    *attributes = {};
    auto* address = const_cast<void*>(pointer);
    const Allocation* found = runtime().memory.find(address_of(pointer));
    attributes->type = cudaMemoryTypeUnregistered;
    attributes->device = -2;  // What the real runtime says of memory it does not know.
    if (found == nullptr) {
      if (is_page_locked(pointer)) {
        attributes->type = cudaMemoryTypeHost;
        attributes->device = 0;
      }
      attributes->hostPointer = address;
      return;
    }
    attributes->device = 0;
    attributes->devicePointer = address;
    const bool managed = found->kind == Kind::managed, host = is_host_kind(found->kind);
    attributes->type = managed ? cudaMemoryTypeManaged
                       : host  ? cudaMemoryTypeHost
                               : cudaMemoryTypeDevice;
    if (managed || host) attributes->hostPointer = address;
  });
}
}
