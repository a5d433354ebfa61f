#include "simulator/cudart/memory/pool.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "simulator/cudart/device/check_device.h"
#include "simulator/cudart/device/devices.h"
#include "simulator/cudart/graphs/graph.h"
#include "simulator/cudart/graphs/graph_memory.h"
#include "simulator/cudart/memory/allocation_sites.h"
#include "simulator/cudart/memory/pool_space.h"
#include "simulator/cudart/queue/capture.h"
#include "simulator/cudart/queue/overlap.h"
#include "simulator/cudart/queue/stream.h"
#include "simulator/cudart/report/error.h"
#include "simulator/cudart/runtime.h"

// Memory pools. Every allocation is in the address space, so its bounds and its end are watched
// like any other's. A pool only counts the bytes taken from it, and the memory that these would
// take on a GPU.
namespace warpwise::cudart {
namespace {

struct Pool {
  int device = 0;            ///< whose memory it gives out
  std::uint8_t granted = 0;  ///< a bit for each other device that may use it
  std::uint64_t used = 0, used_high = 0;
  std::uint64_t reserved_high = 0;
  PoolSpace space;
  std::uint64_t release_threshold = 0;
  std::uint64_t most = 0;  ///< bytes; 0: no limit of its own.
  std::map<cudaMemPoolAttr, int> reuse = {{cudaMemPoolReuseFollowEventDependencies, 1},
                                          {cudaMemPoolReuseAllowOpportunistic, 1},
                                          {cudaMemPoolReuseAllowInternalDependencies, 1}};
};

struct Taken {
  cudaMemPool_t pool;
  std::uint64_t bytes;
  std::uint64_t place;  ///< in the pool's space
};

struct Pools {
  std::mutex mutex;
  std::map<cudaMemPool_t, std::unique_ptr<Pool>> all;
  std::map<std::uint64_t, Taken> taken;  ///< by address.
  PerDevice<std::uint64_t> allocated;    ///< bytes that the device counts as used
  PerDevice<cudaMemPool_t> standard, current;

  Pools() {
    for (int device = 0; device < memory::most_devices; ++device)
      standard.of(device) = current.of(device) = add(device);
  }
  cudaMemPool_t add(int device) {
    auto fresh = std::make_unique<Pool>();
    fresh->device = device;
    const auto handle = reinterpret_cast<cudaMemPool_t>(fresh.get());
    all[handle] = std::move(fresh);
    return handle;
  }
  /// @return none where no pool has given out memory at the address.
  std::optional<Taken> give_back(std::uint64_t address) {
    const auto entry = taken.find(address);
    if (entry == taken.end()) return std::nullopt;
    return taken.extract(entry).mapped();
  }
  Pool& find(cudaMemPool_t handle) {
    const auto entry = all.find(handle);
    if (entry == all.end()) {
      throw Failure{cudaErrorInvalidValue, "the memory pool was not created, or is destroyed"};
    }
    return *entry->second;
  }
};

Pools& pools() {
  static auto& all = *new Pools;
  return all;
}

bool is_known(const OperationPtr& end) { return runtime().queue.is_known_to_host(end); }

/// Whether work that is issued to a stream now may use memory that an operation gives back to the
/// pool.
bool may_use(Pool& pool, const StreamPtr& here, const OperationPtr& end, const Stream& stream) {
  return &stream == here.get() || is_known(end) ||
         (pool.reuse[cudaMemPoolReuseAllowOpportunistic] && runtime().queue.is_done(end));
}

void take(void** pointer, std::size_t bytes, cudaMemPool_t handle, cudaStream_t stream) {
  const StreamPtr target = memory_stream(stream);
  Pools& shared = pools();
  const std::lock_guard lock(shared.mutex);
  if (handle == nullptr) handle = shared.current.of(target->device);
  Pool& pool = shared.find(handle);
  *pointer = nullptr;
  if (bytes == 0) return;
  const memory::OnDevice owner(pool.device);
  const memory::Allocation* fresh = runtime().memory.allocate(bytes, memory::Kind::device);
  const auto place =
      fresh == nullptr || capture_of(*target) != nullptr
          ? std::optional<std::uint64_t>(0)
          : pool.space.take(bytes, pool.most, [&](const OperationPtr& end, const Stream& stream) {
              return may_use(pool, target, end, stream);
            });
  if (fresh != nullptr && !place) runtime().memory.release(fresh->base);
  if (fresh == nullptr || !place) {
    throw Failure{
        cudaErrorMemoryAllocation,
        fmt::format("{} bytes asked for; the pool holds {} and the device {} of {}", bytes,
                    pool.used, runtime().memory.used_bytes(), runtime().memory.capacity_bytes())};
  }
  runtime().memory.track(fresh->base);
  runtime().memory.grant(fresh->base, pool.granted);
  remember_allocation(fresh->base);
  *pointer = reinterpret_cast<void*>(fresh->base);
  cudaMemAllocNodeParams params = {};
  params.bytesize = bytes;
  params.dptr = *pointer;
  if (Node* node = capture(target, AllocWork{params, nullptr})) {
    std::get<AllocWork>(node->work).memory = std::make_shared<GraphMemory>(fresh->base, bytes);
    return;
  }
  shared.taken[fresh->base] = {handle, bytes, *place};
  shared.allocated.here() += bytes;
  pool.used += bytes;
  pool.used_high = std::max(pool.used_high, pool.used);
  pool.reserved_high = std::max(pool.reserved_high, pool.space.reserved_bytes());
  if (runtime().queue.has_several_streams())
    runtime().queue.issue(*target, [base = fresh->base, bytes, from = call_site()] {
      if (!faulted()) compare_allocation(base, bytes, from);
    });
}

/// The value of a counter; none for the three switches.
std::optional<std::uint64_t> counter_of(Pool& pool, cudaMemPoolAttr attribute) {
  switch (attribute) {
    case cudaMemPoolAttrReleaseThreshold:
      return pool.release_threshold;
    case cudaMemPoolAttrReservedMemCurrent:
      return pool.space.reserved_bytes();
    case cudaMemPoolAttrReservedMemHigh:
      return pool.reserved_high;
    case cudaMemPoolAttrUsedMemCurrent:
      return pool.used;
    case cudaMemPoolAttrUsedMemHigh:
      return pool.used_high;
    default:
      if (!pool.reuse.contains(attribute))
        throw Failure{cudaErrorInvalidValue, "no such attribute"};
      return std::nullopt;
  }
}

void set(Pool& pool, cudaMemPoolAttr attribute, const void* value) {
  if (!counter_of(pool, attribute)) {
    pool.reuse[attribute] = *static_cast<const int*>(value) != 0;
    return;
  }
  const std::uint64_t wanted = *static_cast<const std::uint64_t*>(value);
  if (attribute == cudaMemPoolAttrReleaseThreshold) {
    pool.release_threshold = wanted;
    return;
  }
  const bool high =
      attribute == cudaMemPoolAttrUsedMemHigh || attribute == cudaMemPoolAttrReservedMemHigh;
  if (!high || wanted != 0) {
    throw Failure{cudaErrorInvalidValue, "of the counters only the high marks can be set, to 0"};
  }
  if (attribute == cudaMemPoolAttrUsedMemHigh)
    pool.used_high = pool.used;
  else
    pool.reserved_high = pool.space.reserved_bytes();
}

void check_place(const cudaMemLocation& location) {
  if (location.type != cudaMemLocationTypeDevice)
    throw Failure{cudaErrorInvalidDevice, "pools are of devices"};
  cudart::check_device(location.id);
}

bool may_use(const Pool& pool, int device) {
  return device == pool.device ||
         (device >= 0 && device < device_count() && (pool.granted >> device & 1) != 0);
}

void grant(Pool& pool, int device, bool may) {
  if (device == pool.device) return;
  const auto bit = static_cast<std::uint8_t>(1u << device);
  may ? pool.granted |= bit : pool.granted &= static_cast<std::uint8_t>(~bit);
}

void check_can_reach(int device, int owner) {
  if (can_be_peers(device, owner)) return;
  throw Failure{cudaErrorInvalidDevice,
                fmt::format("device {} cannot reach device {}", device, owner)};
}

/// From now on cudaMallocAsync takes the device's memory from the pool.
void choose(Pools& shared, int device, cudaMemPool_t pool) {
  if (shared.find(pool).device != device)
    throw Failure{cudaErrorInvalidValue, "the pool is of another device"};
  shared.current.of(device) = pool;
}

template <typename Body>
cudaError_t locked(const char* function, const Body& body) {
  return call_without_device(function, [&] {
    const std::lock_guard lock(pools().mutex);
    body(pools());
  });
}

/// The same for calls that a capture forbids.
template <typename Body>
cudaError_t locked_outside_capture(const char* function, const Body& body) {
  return locked(function, [&](Pools& shared) {
    forbid_while_capturing();
    body(shared);
  });
}

void check_place(const cudaMemLocation* location, cudaMemAllocationType type) {
  given(location);
  if (type != cudaMemAllocationTypePinned)
    throw Failure{cudaErrorInvalidValue, "pools here are of pinned device memory"};
  check_place(*location);
}

cudaError_t get_pool(const char* function, cudaMemPool_t* pool, const cudaMemLocation* location,
                     cudaMemAllocationType type, PerDevice<cudaMemPool_t> Pools::*which) {
  return locked(function, [&](Pools& shared) {
    check_place(location, type);
    store(pool, (shared.*which).of(location->id));
  });
}

cudaError_t get_pool(const char* function, cudaMemPool_t* pool, int device, cudaError_t no_device,
                     PerDevice<cudaMemPool_t> Pools::*which) {
  return locked(function, [&](Pools& shared) {
    cudart::check_device(device, no_device);
    store(pool, (shared.*which).of(device));
  });
}

}  // namespace

void give_back_to_pool(std::uint64_t address) {
  Pools& shared = pools();
  const std::lock_guard lock(shared.mutex);
  const std::optional<Taken> gone = shared.give_back(address);
  if (!gone) return;
  shared.allocated.of(runtime().memory.find(address)->device) -= gone->bytes;
  const auto owner = shared.all.find(gone->pool);
  if (owner == shared.all.end()) return;
  // The count of bytes in use never shows that cudaFree has freed some, nor does it on an H100.
  Pool& pool = *owner->second;
  pool.space.give(gone->place);
  pool.space.settle(is_known);
  pool.space.release_above(pool.release_threshold);
}

void give_back_to_pool(std::uint64_t address, OperationPtr end, StreamPtr stream) {
  Pools& shared = pools();
  const std::lock_guard lock(shared.mutex);
  const std::optional<Taken> gone = shared.give_back(address);
  const auto owner = gone ? shared.all.find(gone->pool) : shared.all.end();
  if (owner == shared.all.end()) return;
  owner->second->used -= gone->bytes;
  owner->second->space.give(gone->place, std::move(end), std::move(stream));
}

void free_pool_memory(int device, std::uint64_t bytes) {
  const std::lock_guard lock(pools().mutex);
  pools().allocated.of(device) -= bytes;
}

void settle_pools() {
  Pools& shared = pools();
  const std::lock_guard lock(shared.mutex);
  for (auto& [handle, pool] : shared.all) pool->space.settle(is_known);
}

void trim_pools(bool all) {
  Pools& shared = pools();
  const std::lock_guard lock(shared.mutex);
  for (auto& [handle, pool] : shared.all) {
    const bool is_of_all = all && pool->device == memory::current_device();
    if (pool->space.settle(is_known) || is_of_all)
      pool->space.release_above(pool->release_threshold);
  }
}

void reset_pools() {
  Pools& shared = pools();
  const std::lock_guard lock(shared.mutex);
  const int device = memory::current_device();
  for (auto& [handle, pool] : shared.all) {
    if (pool->device != device) continue;
    std::erase_if(shared.taken, [&](const auto& one) { return one.second.pool == handle; });
    *pool = Pool();
    pool->device = device;
  }
  shared.allocated.of(device) = 0;
  shared.current.of(device) = shared.standard.of(device);
}

std::uint64_t bytes_kept_by_pools() {
  Pools& shared = pools();
  const std::lock_guard lock(shared.mutex);
  std::uint64_t reserved = 0;
  for (const auto& [handle, pool] : shared.all)
    if (pool->device == memory::current_device()) reserved += pool->space.reserved_bytes();
  return reserved - std::min(reserved, shared.allocated.here());
}

bool is_of_pool(std::uint64_t address) {
  Pools& shared = pools();
  const std::lock_guard lock(shared.mutex);
  return shared.taken.contains(address);
}

}  // namespace warpwise::cudart

using namespace warpwise::cudart;

extern "C" {

cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) {
  return call_without_device("cudaMallocAsync", [&] {
    given(pointer);
    need_device();
    take(pointer, bytes, nullptr, stream);
  });
}

cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream) {
  return call_without_device("cudaMallocFromPoolAsync", [&] {
    given(pointer);
    need_device();
    memory_stream(stream);
    given(pool);
    take(pointer, bytes, pool, stream);
  });
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return get_pool("cudaDeviceGetDefaultMemPool", pool, device, cudaErrorInvalidDevice,
                  &Pools::standard);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return get_pool("cudaDeviceGetMemPool", pool, device, cudaErrorInvalidValue, &Pools::current);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  return locked_outside_capture("cudaDeviceSetMemPool", [&](Pools& shared) {
    warpwise::cudart::check_device(device, cudaErrorInvalidValue);
    choose(shared, device, pool);
  });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  return locked_outside_capture("cudaMemPoolCreate", [&](Pools& shared) {
    given(pool), given(properties);
    if (properties->allocType != cudaMemAllocationTypePinned ||
        properties->location.type != cudaMemLocationTypeDevice) {
      throw Failure{cudaErrorInvalidValue, "pools here are of pinned memory of a device"};
    }
    warpwise::cudart::check_device(properties->location.id, cudaErrorInvalidValue);
    *pool = shared.add(properties->location.id);
    shared.find(*pool).most = properties->maxSize;
  });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return locked_outside_capture("cudaMemPoolDestroy", [&](Pools& shared) {
    shared.find(pool);
    const int device = shared.find(pool).device;
    if (pool == shared.standard.of(device)) {
      throw Failure{cudaErrorInvalidValue, "the default pool cannot be destroyed"};
    }
    if (pool == shared.current.of(device)) shared.current.of(device) = shared.standard.of(device);
    shared.all.erase(pool);
  });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return locked_outside_capture("cudaMemPoolGetAttribute", [&](Pools& shared) {
    Pool& asked = shared.find(pool);
    given(value);
    const std::optional<std::uint64_t> counter = counter_of(asked, attribute);
    if (counter) {
      *static_cast<std::uint64_t*>(value) = *counter;
    } else {
      *static_cast<int*>(value) = asked.reuse[attribute];
    }
  });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return locked_outside_capture("cudaMemPoolSetAttribute", [&](Pools& shared) {
    given(value);
    set(shared.find(pool), attribute, value);
  });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t least) {
  return locked_outside_capture("cudaMemPoolTrimTo", [&](Pools& shared) {
    PoolSpace& trimmed = shared.find(pool).space;
    trimmed.settle([](const OperationPtr& end) { return runtime().queue.is_done(end); });
    trimmed.release_down_to(least);
  });
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* list, size_t count) {
  return locked_outside_capture("cudaMemPoolSetAccess", [&](Pools& shared) {
    Pool& changed = shared.find(pool);
    if (count > 0) given(list);
    for (std::size_t i = 0; i < count; ++i) {
      check_place(list[i].location);
      if (list[i].flags == cudaMemAccessFlagsProtRead) {
        throw Failure{cudaErrorNotSupported, "memory of a pool cannot be for reading alone"};
      }
      const int device = list[i].location.id;
      const bool may = list[i].flags == cudaMemAccessFlagsProtReadWrite;
      if (device == changed.device && !may) {
        throw Failure{cudaErrorInvalidDevice, "a pool's own device always has access"};
      }
      if (device != changed.device) check_can_reach(device, changed.device);
    }
    for (std::size_t i = 0; i < count; ++i)
      grant(changed, list[i].location.id, list[i].flags == cudaMemAccessFlagsProtReadWrite);
    // The access to the pool's allocations changes with it.
    for (const auto& [base, taken] : shared.taken)
      if (taken.pool == pool) runtime().memory.grant(base, changed.granted);
  });
}

cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool,
                                 cudaMemLocation* location) {
  return locked_outside_capture("cudaMemPoolGetAccess", [&](Pools& shared) {
    const Pool& asked = shared.find(pool);
    given(flags);
    if (given(location).type == cudaMemLocationTypeInvalid)
      throw Failure{cudaErrorInvalidValue, "the location is not a valid place"};
    const bool may = location->type == cudaMemLocationTypeDevice && may_use(asked, location->id);
    *flags = may ? cudaMemAccessFlagsProtReadWrite : cudaMemAccessFlagsProtNone;
  });
}

cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t* pool, cudaMemLocation* location,
                                     cudaMemAllocationType type) {
  return get_pool("cudaMemGetDefaultMemPool", pool, location, type, &Pools::standard);
}

cudaError_t cudaMemGetMemPool(cudaMemPool_t* pool, cudaMemLocation* location,
                              cudaMemAllocationType type) {
  return get_pool("cudaMemGetMemPool", pool, location, type, &Pools::current);
}

cudaError_t cudaMemSetMemPool(cudaMemLocation* location, cudaMemAllocationType type,
                              cudaMemPool_t pool) {
  return locked_outside_capture("cudaMemSetMemPool", [&](Pools& shared) {
    check_place(location, type);
    choose(shared, location->id, pool);
  });
}
}
