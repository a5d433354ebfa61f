#include "simulator/cudart/graph_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <set>

#include "simulator/cudart/allocation_sites.h"
#include "simulator/cudart/error.h"
#include "simulator/cudart/runtime.h"

namespace warpwise::cudart {
namespace {

struct Entry {
  std::uint64_t bytes = 0;
  bool taken = false;
  bool used = false;  ///< by a launch, ever: the device keeps such memory for the graph.
};

struct Memories {
  std::mutex mutex;
  std::map<std::uint64_t, Entry> all;  ///< by address.
  std::uint64_t used = 0, used_high = 0, reserved = 0, reserved_high = 0;

  void take(Entry& entry) {
    if (!entry.used) used += entry.bytes;
    entry.taken = entry.used = true;
    used_high = std::max(used_high, used);
    reserve();
  }
  void reserve() {
    constexpr std::uint64_t piece = 32 << 20;
    reserved = std::max(reserved, (used_high + piece - 1) / piece * piece);
    reserved_high = std::max(reserved_high, reserved);
  }
};

Memories& memories() {
  static auto& all = *new Memories;
  return all;
}

std::uint64_t allocate(std::uint64_t bytes) {
  if (bytes == 0) throw Failure{cudaErrorInvalidValue, "an allocation of 0 bytes"};
  const memory::Allocation* fresh = runtime().memory.allocate(bytes, memory::Kind::device);
  if (fresh == nullptr) throw Failure{cudaErrorMemoryAllocation, ""};
  remember_allocation(fresh->base);
  return fresh->base;
}

/// The counter that an attribute names. @throws Failure cudaErrorInvalidValue.
std::uint64_t& counter(Memories& shared, cudaGraphMemAttributeType attribute) {
  switch (attribute) {
    case cudaGraphMemAttrUsedMemCurrent:
      return shared.used;
    case cudaGraphMemAttrUsedMemHigh:
      return shared.used_high;
    case cudaGraphMemAttrReservedMemCurrent:
      return shared.reserved;
    case cudaGraphMemAttrReservedMemHigh:
      return shared.reserved_high;
  }
  throw Failure{cudaErrorInvalidValue, "no such attribute"};
}

template <typename Body>
cudaError_t for_device(const char* function, int device, const Body& body) {
  return call(function, [&] {
    if (device != 0) throw Failure{cudaErrorInvalidDevice, "there is one device, number 0"};
    const std::lock_guard lock(memories().mutex);
    body(memories());
  });
}

}  // namespace

GraphMemory::GraphMemory(std::uint64_t bytes) : GraphMemory(allocate(bytes), bytes) {}

GraphMemory::GraphMemory(std::uint64_t base, std::uint64_t bytes) : base_(base) {
  const std::lock_guard lock(memories().mutex);
  memories().all[base] = {bytes, false};
}

GraphMemory::~GraphMemory() {
  Memories& shared = memories();
  const std::lock_guard lock(shared.mutex);
  const auto entry = shared.all.find(base_);
  const bool taken = entry->second.taken;
  if (entry->second.used) shared.used -= entry->second.bytes;
  shared.all.erase(entry);
  if (!taken) runtime().memory.release(base_);
}

void launch_graph_memory(const std::vector<const Work*>& all, bool frees_itself) {
  std::set<std::uint64_t> takes, gives;
  for (const Work* work : all) {
    if (const auto* alloc = std::get_if<AllocWork>(work)) takes.insert(alloc->memory->base());
    if (const auto* free = std::get_if<FreeWork>(work))
      gives.insert(reinterpret_cast<std::uint64_t>(free->pointer));
  }
  Memories& shared = memories();
  const std::lock_guard lock(shared.mutex);
  for (const std::uint64_t base : takes) {
    if (!shared.all.at(base).taken || frees_itself) continue;
    throw Failure{cudaErrorInvalidValue,
                  "memory that the graph's last launch allocated is not freed yet; free it before "
                  "the next launch, or instantiate the graph with "
                  "cudaGraphInstantiateFlagAutoFreeOnLaunch"};
  }
  for (const std::uint64_t base : takes) shared.take(shared.all.at(base));
  for (const std::uint64_t base : gives) {
    const auto entry = shared.all.find(base);
    if (entry != shared.all.end()) entry->second.taken = false;
  }
}

bool free_graph_memory(std::uint64_t base) {
  Memories& shared = memories();
  const std::lock_guard lock(shared.mutex);
  const auto entry = shared.all.find(base);
  if (entry == shared.all.end()) return false;
  if (!entry->second.taken) {
    throw Failure{cudaErrorInvalidValue,
                  "the memory belongs to a graph, and no launch of it has allocated it",
                  "invalid-free"};
  }
  entry->second.taken = false;
  return true;
}

bool is_idle_graph_memory(std::uint64_t base) {
  const std::lock_guard lock(memories().mutex);
  const auto entry = memories().all.find(base);
  return entry != memories().all.end() && !entry->second.taken;
}

}  // namespace warpwise::cudart

using namespace warpwise::cudart;

extern "C" {

cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void* value) {
  return for_device("cudaDeviceGetGraphMemAttribute", device, [&](Memories& shared) {
    if (value == nullptr) throw Failure{cudaErrorInvalidValue, ""};
    *static_cast<std::uint64_t*>(value) = counter(shared, attribute);
  });
}

cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void* value) {
  return for_device("cudaDeviceSetGraphMemAttribute", device, [&](Memories& shared) {
    const bool high =
        attribute == cudaGraphMemAttrUsedMemHigh || attribute == cudaGraphMemAttrReservedMemHigh;
    if (value == nullptr || !high || *static_cast<std::uint64_t*>(value) != 0) {
      throw Failure{cudaErrorInvalidValue, "only the high marks can be set, to 0"};
    }
    counter(shared, attribute) =
        attribute == cudaGraphMemAttrUsedMemHigh ? shared.used : shared.reserved;
  });
}

cudaError_t cudaDeviceGraphMemTrim(int device) {
  return for_device("cudaDeviceGraphMemTrim", device, [](Memories& shared) {
    shared.reserved = 0;
    if (shared.used > 0) shared.reserve();
  });
}
}
