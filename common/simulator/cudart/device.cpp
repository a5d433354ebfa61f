#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "simulator/cudart/capture.h"
#include "simulator/cudart/error.h"
#include "simulator/cudart/exit_notes.h"
#include "simulator/cudart/host_flags.h"
#include "simulator/cudart/pool.h"
#include "simulator/cudart/properties.h"
#include "simulator/cudart/registry.h"
#include "simulator/cudart/runtime.h"
#include "simulator/cudart/shared_memory.h"

// There is one device, number 0.
namespace warpwise::cudart {
namespace {

constexpr int simulated_version = 13000;
constexpr const char* bus_id = "0000:01:00.0";

void check_device(int device) {
  if (device != 0) {
    throw Failure{cudaErrorInvalidDevice, fmt::format("device {}; there is one, number 0", device)};
  }
}

std::atomic<unsigned> device_flags{cudaDeviceMapHost};
std::atomic<cudaFuncCache> cache_config{cudaFuncCachePreferNone};

/// The limits' numbers, to 7, which is shared memory of a block and can only be asked for.
constexpr int shared_limit = 7;
constexpr std::size_t largest_stack = 512 << 10;  ///< local memory of a thread

std::size_t persisting_unit() { return static_cast<std::size_t>(runtime().gpu.l2_bytes) / 16; }

using Limits = std::array<std::atomic<std::size_t>, shared_limit + 1>;

void set_defaults(Limits& limits) {
  limits[cudaLimitStackSize] = 1024;
  limits[cudaLimitPrintfFifoSize] = 8650752;
  limits[cudaLimitMallocHeapSize] = 8 << 20;
  limits[cudaLimitDevRuntimePendingLaunchCount] = 2048;
  limits[cudaLimitMaxL2FetchGranularity] = 64;
  limits[cudaLimitPersistingL2CacheSize] = 3 * persisting_unit();
  limits[shared_limit] = static_cast<std::size_t>(runtime().gpu.shared_bytes_per_block_max);
}

Limits& all_limits() {
  static Limits& limits = []() -> Limits& {
    auto& fresh = *new Limits;
    set_defaults(fresh);
    return fresh;
  }();
  return limits;
}

std::atomic<std::size_t>& limit_of(cudaLimit which) {
  if (which < 0 || which > shared_limit) throw Failure{cudaErrorInvalidValue, "no such limit"};
  if (which == cudaLimitDevRuntimeSyncDepth) {
    throw Failure{cudaErrorUnsupportedLimit, "kernels cannot wait for kernels that they launch"};
  }
  return all_limits()[which];
}

void set_limit(cudaLimit which, std::size_t value) {
  constexpr std::size_t stack_unit = 16, largest_fetch = 128, least_output = 512 << 10,
                        least_heap = 4 << 20;
  std::atomic<std::size_t>& limit = limit_of(which);
  if (which == cudaLimitStackSize) {
    if (value > largest_stack) {
      throw Failure{cudaErrorInvalidValue,
                    fmt::format("a thread's stack has at most {} bytes", largest_stack)};
    }
    value = (value + stack_unit - 1) / stack_unit * stack_unit;
  } else if (which == cudaLimitPrintfFifoSize) {
    value = std::max(value, least_output);
  } else if (which == cudaLimitMallocHeapSize && runtime().memory.heap_was_used()) {
    throw Failure{cudaErrorInvalidValue,
                  "kernels have used the heap already; set its size before the first launch"};
  } else if (which == cudaLimitMallocHeapSize) {
    value = std::max(value, least_heap);
  } else if (which == cudaLimitMaxL2FetchGranularity && value > largest_fetch) {
    throw Failure{cudaErrorInvalidValue, "the L2 cache fetches at most 128 bytes"};
  } else if (which == cudaLimitPersistingL2CacheSize) {
    const std::size_t most = 10 * persisting_unit();
    if (value > most)
      throw Failure{cudaErrorInvalidValue,
                    fmt::format("at most {} bytes of the L2 cache can be set aside", most)};
    value = (value + persisting_unit() - 1) / persisting_unit() * persisting_unit();
  } else if (which == shared_limit) {
    throw Failure{cudaErrorInvalidValue, "this limit cannot be set"};
  }
  limit = value;
}

}  // namespace

cudaFuncCache device_cache_config() { return cache_config; }

std::size_t device_limit(cudaLimit which) { return limit_of(which); }

void make_stack_room(std::size_t bytes) {
  if (bytes > device_limit(cudaLimitStackSize)) set_limit(cudaLimitStackSize, bytes);
}

void check_banks(cudaSharedMemConfig config) {
  if (config < cudaSharedMemBankSizeDefault || config > cudaSharedMemBankSizeEightByte)
    throw Failure{cudaErrorInvalidValue, "banks have 4 or 8 bytes"};
}

}  // namespace warpwise::cudart

using namespace warpwise::cudart;

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  return call_on_any_thread("cudaGetDeviceCount", [&] { store(count, 1); });
}

cudaError_t cudaGetDevice(int* device) {
  return call_without_device("cudaGetDevice", [&] { store(device, 0); });
}

cudaError_t cudaSetDevice(int device) {
  return call_after_fault("cudaSetDevice", [&] { check_device(device); });
}

cudaError_t cudaInitDevice(int device, unsigned, unsigned) {
  return call_after_fault("cudaInitDevice", [&] { check_device(device); });
}

cudaError_t cudaSetValidDevices(int* devices, int count) {
  return call_without_device("cudaSetValidDevices", [&] {
    // There is one device.
    if (count < 0 || count > 1 || (devices == nullptr && count > 0))
      throw Failure{cudaErrorInvalidValue, ""};
    for (int i = 0; i < count; ++i) check_device(devices[i]);
  });
}

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* wanted) {
  return call_without_device("cudaChooseDevice", [&] {
    given(wanted);
    store(device, 0);
  });
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return call_on_any_thread("cudaGetDeviceProperties", [&] {
    check_device(device);
    store(properties, properties_of(runtime().gpu));
  });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return call_without_device("cudaDeviceGetAttribute", [&] {
    check_device(device);
    const auto found = attribute_of(runtime().gpu, attribute);
    if (!found) {
      throw Failure{cudaErrorInvalidValue,
                    fmt::format("{} is no attribute", static_cast<int>(attribute))};
    }
    store(value, *found);
  });
}

cudaError_t cudaDeviceSynchronize() {
  return call("cudaDeviceSynchronize", [] {
    forbid_device_wait();
    runtime().queue.wait_for_all();
    trim_pools(true);
    after_wait();
  });
}

cudaError_t cudaDeviceReset() {
  // Releases all memory, as the end of the real context does; handles of the program become stale.
  return call_without_device("cudaDeviceReset", [] {
    if (end_after_fault()) return;
    Runtime& device = runtime();
    device.queue.wait_for_all();
    note_leaks();
    for (const auto* allocation : device.memory.live()) {
      using warpwise::memory::Kind;
      const bool of_module =
          allocation->kind == Kind::variable || allocation->kind == Kind::constant;
      if (!of_module) device.memory.release(allocation->base);
    }
    reset_pools();
    forget_all_flags();
    forget_all_shared_memory();
    registry().initialise_variables();
    set_defaults(all_limits());
    cache_config = cudaFuncCachePreferNone;
    device_flags = cudaDeviceMapHost;
    after_wait();
  });
}

cudaError_t cudaDeviceSetLimit(cudaLimit which, size_t value) {
  return call("cudaDeviceSetLimit", [&] {
    forbid_while_capturing();
    set_limit(which, value);
  });
}

cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit which) {
  return call("cudaDeviceGetLimit", [&] { store(value, device_limit(which)); });
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) {
  return call("cudaDeviceSetCacheConfig", [&] {
    forbid_while_capturing();
    if (config < cudaFuncCachePreferNone || config > cudaFuncCachePreferEqual) {
      throw Failure{cudaErrorInvalidValue, ""};
    }
    cache_config = config;
  });
}

// Banks of shared memory have one width on every GPU that is simulated; the calls are left over.
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  return call("cudaDeviceGetSharedMemConfig",
              [&] { store(config, cudaSharedMemBankSizeFourByte); });
}

cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) {
  return call("cudaDeviceSetSharedMemConfig", [&] {
    forbid_while_capturing();
    check_banks(config);
  });
}

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                            cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  return call("cudaDeviceGetCacheConfig", [&] { store(config, cache_config.load()); });
}

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  return call_after_fault("cudaSetDeviceFlags", [&] {
    if ((flags & ~unsigned{cudaDeviceMask}) != 0 ||
        std::popcount(flags & unsigned{cudaDeviceScheduleMask}) > 1) {
      throw Failure{cudaErrorInvalidValue, "unknown flags, or more than one way to wait"};
    }
    device_flags = flags | cudaDeviceMapHost;
  });
}

cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  return call_without_device("cudaGetDeviceFlags", [&] { store(flags, device_flags.load()); });
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return call_without_device("cudaDeviceCanAccessPeer", [&] {
    check_device(device);
    check_device(peer);
    store(can, 0);
  });
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  return call_after_fault("cudaDeviceEnablePeerAccess", [&] {
    check_device(peer);
    need_device();
    if (flags != 0) throw Failure{cudaErrorInvalidValue, ""};
    throw Failure{cudaErrorPeerAccessUnsupported, "a device is no peer of itself"};
  });
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return call_after_fault("cudaDeviceDisablePeerAccess", [&] {
    check_device(peer);
    need_device();
    forbid_while_capturing();
    throw Failure{cudaErrorPeerAccessNotEnabled, "a device is no peer of itself"};
  });
}

cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr, int device, int peer) {
  return call_without_device("cudaDeviceGetP2PAttribute", [&] {
    check_device(device);
    check_device(peer);
    given(value);
    throw Failure{cudaErrorInvalidDevice, "a device is no peer of itself"};
  });
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* id) {
  return call_without_device("cudaDeviceGetByPCIBusId", [&] {
    given(device), given(id);
    unsigned domain = 0, bus = 0, slot = 0;
    if (std::sscanf(id, "%x:%x:%x", &domain, &bus, &slot) < 2) {
      throw Failure{cudaErrorInvalidValue, "an id looks like domain:bus:device.function"};
    }
    if (std::string_view(id) != bus_id) throw Failure{cudaErrorInvalidDevice, "no such device"};
    *device = 0;
  });
}

cudaError_t cudaCtxResetPersistingL2Cache() {
  return call_without_device("cudaCtxResetPersistingL2Cache", need_old_context);
}

cudaError_t cudaDeviceGetPCIBusId(char* text, int size, int device) {
  return call_without_device("cudaDeviceGetPCIBusId", [&] {
    check_device(device);
    given(text);
    if (size <= static_cast<int>(std::strlen(bus_id))) {
      throw Failure{cudaErrorInvalidValue,
                    fmt::format("the id has {} characters and a zero", std::strlen(bus_id))};
    }
    std::snprintf(text, static_cast<std::size_t>(size), "%s", bus_id);
  });
}

cudaError_t cudaDriverGetVersion(int* version) {
  return call_on_any_thread("cudaDriverGetVersion", [&] { store(version, simulated_version); });
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  return call_on_any_thread("cudaRuntimeGetVersion", [&] { store(version, simulated_version); });
}

cudaError_t cudaProfilerStart() { return call("cudaProfilerStart", forbid_while_capturing); }

cudaError_t cudaProfilerStop() { return call("cudaProfilerStop", forbid_while_capturing); }
}
