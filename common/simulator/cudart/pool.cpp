#include "simulator/cudart/pool.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "simulator/cudart/allocation_sites.h"
#include "simulator/cudart/capture.h"
#include "simulator/cudart/error.h"
#include "simulator/cudart/graph.h"
#include "simulator/cudart/graph_memory.h"
#include "simulator/cudart/overlap.h"
#include "simulator/cudart/pool_space.h"
#include "simulator/cudart/runtime.h"
#include "simulator/cudart/stream.h"

// Memory pools. Every allocation is one of the address space, so that its bounds and its end are
// watched like any other's; a pool only counts what was taken from it, and what that would take of
// a GPU's memory.
namespace warpwise::cudart {
namespace {

struct Pool {
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
  std::uint64_t allocated = 0;           ///< bytes that the device counts as used
  cudaMemPool_t standard = nullptr, current = nullptr;

  Pools() { standard = current = add(); }
  cudaMemPool_t add() {
    auto fresh = std::make_unique<Pool>();
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

/// Whether work that is issued to a stream now may use what an operation gives back to the pool.
bool may_use(Pool& pool, const StreamPtr& here, const OperationPtr& end, const Stream& stream) {
  return &stream == here.get() || is_known(end) ||
         (pool.reuse[cudaMemPoolReuseAllowOpportunistic] && runtime().queue.is_done(end));
}

void take(void** pointer, std::size_t bytes, cudaMemPool_t handle, cudaStream_t stream) {
  const StreamPtr target = memory_stream(stream);
  Pools& shared = pools();
  const std::lock_guard lock(shared.mutex);
  Pool& pool = shared.find(handle == nullptr ? shared.current : handle);
  *pointer = nullptr;
  if (bytes == 0) return;
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
  remember_allocation(fresh->base);
  *pointer = reinterpret_cast<void*>(fresh->base);
  cudaMemAllocNodeParams params = {};
  params.bytesize = bytes;
  params.dptr = *pointer;
  if (Node* node = capture(target, AllocWork{params, nullptr})) {
    std::get<AllocWork>(node->work).memory = std::make_shared<GraphMemory>(fresh->base, bytes);
    return;
  }
  shared.taken[fresh->base] = {handle == nullptr ? shared.current : handle, bytes, *place};
  shared.allocated += bytes;
  pool.used += bytes;
  pool.used_high = std::max(pool.used_high, pool.used);
  pool.reserved_high = std::max(pool.reserved_high, pool.space.reserved_bytes());
  if (runtime().queue.has_several_streams())
    runtime().queue.issue(*target, [base = fresh->base, bytes, from = call_site()] {
      if (!faulted()) compare_allocation(base, bytes, from);
    });
}

/// What a counter says; none for the three switches.
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

void check_device(const cudaMemLocation& location) {
  if (location.type == cudaMemLocationTypeDevice && location.id == 0) return;
  throw Failure{cudaErrorInvalidDevice, "pools lie on the one device, number 0"};
}

template <typename Body>
cudaError_t locked(const char* function, const Body& body) {
  return call_without_device(function, [&] {
    const std::lock_guard lock(pools().mutex);
    body(pools());
  });
}

/// The same for those that a capture forbids.
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
  check_device(*location);
}

cudaError_t get_pool(const char* function, cudaMemPool_t* pool, const cudaMemLocation* location,
                     cudaMemAllocationType type, cudaMemPool_t Pools::*which) {
  return locked(function, [&](Pools& shared) {
    check_place(location, type);
    store(pool, shared.*which);
  });
}

cudaError_t get_pool(const char* function, cudaMemPool_t* pool, int device, cudaError_t no_device,
                     cudaMemPool_t Pools::*which) {
  return locked(function, [&](Pools& shared) {
    if (device != 0) throw Failure{no_device, "there is one device, number 0"};
    store(pool, shared.*which);
  });
}

}  // namespace

void give_back_to_pool(std::uint64_t address) {
  Pools& shared = pools();
  const std::lock_guard lock(shared.mutex);
  const std::optional<Taken> gone = shared.give_back(address);
  if (!gone) return;
  shared.allocated -= gone->bytes;
  const auto owner = shared.all.find(gone->pool);
  if (owner == shared.all.end()) return;
  // That cudaFree has taken its bytes from those in use is never told, on an H100 either.
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

void free_pool_memory(std::uint64_t bytes) {
  const std::lock_guard lock(pools().mutex);
  pools().allocated -= bytes;
}

void settle_pools() {
  Pools& shared = pools();
  const std::lock_guard lock(shared.mutex);
  for (auto& [handle, pool] : shared.all) pool->space.settle(is_known);
}

void trim_pools(bool all) {
  Pools& shared = pools();
  const std::lock_guard lock(shared.mutex);
  for (auto& [handle, pool] : shared.all)
    if (pool->space.settle(is_known) || all) pool->space.release_above(pool->release_threshold);
}

void reset_pools() {
  Pools& shared = pools();
  const std::lock_guard lock(shared.mutex);
  shared.taken.clear();
  shared.allocated = 0;
  for (auto& [handle, pool] : shared.all) *pool = Pool();
  shared.current = shared.standard;
}

std::uint64_t bytes_kept_by_pools() {
  Pools& shared = pools();
  const std::lock_guard lock(shared.mutex);
  std::uint64_t reserved = 0;
  for (const auto& [handle, pool] : shared.all) reserved += pool->space.reserved_bytes();
  return reserved - std::min(reserved, shared.allocated);
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
    if (device != 0) throw Failure{cudaErrorInvalidValue, "there is one device, number 0"};
    shared.find(pool);
    shared.current = pool;
  });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  return locked_outside_capture("cudaMemPoolCreate", [&](Pools& shared) {
    given(pool), given(properties);
    if (properties->allocType != cudaMemAllocationTypePinned ||
        properties->location.type != cudaMemLocationTypeDevice || properties->location.id != 0) {
      throw Failure{cudaErrorInvalidValue, "pools here lie on the one device, number 0"};
    }
    *pool = shared.add();
    shared.find(*pool).most = properties->maxSize;
  });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return locked_outside_capture("cudaMemPoolDestroy", [&](Pools& shared) {
    shared.find(pool);
    if (pool == shared.standard) {
      throw Failure{cudaErrorInvalidValue, "the default pool cannot be destroyed"};
    }
    if (pool == shared.current) shared.current = shared.standard;
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
    shared.find(pool);
    if (count > 0) given(list);
    for (std::size_t i = 0; i < count; ++i) {
      check_device(list[i].location);
      if (list[i].flags == cudaMemAccessFlagsProtRead) {
        throw Failure{cudaErrorNotSupported, "memory of a pool cannot be for reading alone"};
      }
      if (list[i].flags != cudaMemAccessFlagsProtReadWrite) {
        throw Failure{cudaErrorInvalidDevice, "a pool's own device always has access"};
      }
    }
  });
}

cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool,
                                 cudaMemLocation* location) {
  return locked_outside_capture("cudaMemPoolGetAccess", [&](Pools& shared) {
    shared.find(pool);
    given(flags);
    if (given(location).type == cudaMemLocationTypeInvalid)
      throw Failure{cudaErrorInvalidValue, "the location is no place"};
    const bool device = location->type == cudaMemLocationTypeDevice && location->id == 0;
    *flags = device ? cudaMemAccessFlagsProtReadWrite : cudaMemAccessFlagsProtNone;
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
    shared.find(pool);
    shared.current = pool;
  });
}
}
