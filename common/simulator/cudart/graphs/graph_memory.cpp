#include "simulator/cudart/graphs/graph_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>

#include "simulator/cudart/device/check_device.h"
#include "simulator/cudart/memory/allocation_sites.h"
#include "simulator/cudart/queue/overlap.h"
#include "simulator/cudart/report/error.h"
#include "simulator/cudart/runtime.h"

namespace warpwise::cudart {
namespace {

struct Entry {
  std::uint64_t bytes = 0;
  bool taken = false;
  bool used = false;  ///< has a place on the device: from a launch until another graph gets it.
  std::uint64_t stream = 0;  ///< of the last launch that took it.

  bool is_idle() const { return used && !taken; }
};

struct Memories {
  std::mutex mutex;
  std::map<std::uint64_t, Entry> all;  ///< by address.
  std::uint64_t used = 0, used_high = 0, reserved = 0, reserved_high = 0;

  void take(Entry& entry, std::uint64_t stream) {
    if (!entry.used) {
      leave_place(entry.bytes, stream);
      used += entry.bytes;
    }
    entry.taken = entry.used = true;
    entry.stream = stream;
    used_high = std::max(used_high, used);
    reserve();
  }
  /// Memory that earlier launches of the stream gave back makes room for as many bytes.
  void leave_place(std::uint64_t bytes, std::uint64_t stream) {
    for (auto& [base, entry] : all) {
      if (!entry.is_idle() || entry.stream != stream || entry.bytes > bytes) continue;
      drop(entry);
      bytes -= entry.bytes;
    }
  }
  void drop(Entry& entry) {
    used -= entry.bytes;
    entry.used = false;
  }
  void reserve() {
    constexpr std::uint64_t piece = 32 << 20;
    reserved = std::max(reserved, (used + piece - 1) / piece * piece);
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

/// Operations after this one must not use the memory any more.
void leave(std::uint64_t base, const CallSite& from, const char* by) {
  memory::AddressSpace& memory = runtime().memory;
  const memory::Allocation* allocation = memory.find(base);
  if (allocation == nullptr) return;
  if (!faulted()) compare_release(base, allocation->bytes, from, by);
  memory.set_idle(base, true);
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
  return call_without_device(function, [&] {
    check_device(device);
    const std::lock_guard lock(memories().mutex);
    body(memories());
  });
}

}  // namespace

bool is_graph_memory(std::uint64_t base) {
  const std::lock_guard lock(memories().mutex);
  return memories().all.contains(base);
}

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
  if (entry->second.used) shared.drop(entry->second);
  shared.all.erase(entry);
  if (!taken) runtime().memory.release(base_);
}

void launch_graph_memory(const std::vector<const Work*>& all, std::uint64_t stream,
                         bool frees_itself) {
  Memories& shared = memories();
  const std::lock_guard lock(shared.mutex);
  for (const Work* work : all) {
    const auto* alloc = std::get_if<AllocWork>(work);
    if (alloc == nullptr || !shared.all.at(alloc->memory->base()).taken || frees_itself) continue;
    throw Failure{cudaErrorInvalidValue,
                  "memory that the graph's last launch allocated is not freed yet; free it before "
                  "the next launch, or instantiate the graph with "
                  "cudaGraphInstantiateFlagAutoFreeOnLaunch"};
  }
  for (const Work* work : all) {
    if (const auto* alloc = std::get_if<AllocWork>(work))
      shared.take(shared.all.at(alloc->memory->base()), stream);
    if (const auto* free = std::get_if<FreeWork>(work)) {
      const auto entry = shared.all.find(reinterpret_cast<std::uint64_t>(free->pointer));
      if (entry != shared.all.end()) entry->second.taken = false;
    }
  }
}

Step prepare(const AllocWork& work) {
  Step step;
  step.run = [base = work.memory->base()] { runtime().memory.set_idle(base, false); };
  return step;
}

Step prepare(const FreeWork& work) {
  Step step;
  step.run = [base = reinterpret_cast<std::uint64_t>(work.pointer), from = call_site()] {
    leave(base, from, "a node of a graph");
  };
  return step;
}

bool free_graph_memory(std::uint64_t base, Stream* stream) {
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
  remember_free(base, true);
  if (stream == nullptr)
    runtime().memory.set_idle(base, true);
  else
    runtime().queue.issue(*stream,
                          [base, from = call_site()] { leave(base, from, "cudaFreeAsync"); });
  return true;
}

}  // namespace warpwise::cudart

using namespace warpwise::cudart;

extern "C" {

cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void* value) {
  return for_device("cudaDeviceGetGraphMemAttribute", device, [&](Memories& shared) {
    given(value);
    *static_cast<std::uint64_t*>(value) = counter(shared, attribute);
  });
}

cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void* value) {
  return for_device("cudaDeviceSetGraphMemAttribute", device, [&](Memories& shared) {
    const bool high =
        attribute == cudaGraphMemAttrUsedMemHigh || attribute == cudaGraphMemAttrReservedMemHigh;
    given(value);
    if (!high || *static_cast<std::uint64_t*>(value) != 0) {
      throw Failure{cudaErrorInvalidValue, "only the high marks can be set, to 0"};
    }
    counter(shared, attribute) =
        attribute == cudaGraphMemAttrUsedMemHigh ? shared.used : shared.reserved;
  });
}

cudaError_t cudaDeviceGraphMemTrim(int device) {
  return for_device("cudaDeviceGraphMemTrim", device, [](Memories& shared) {
    for (auto& [base, entry] : shared.all) {
      if (entry.is_idle()) shared.drop(entry);
    }
    shared.reserved = 0;
    shared.reserve();
  });
}
}
