#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdio>
#include <string>

#include "simulator/cudart/device/check_device.h"
#include "simulator/cudart/device/devices.h"
#include "simulator/cudart/device/properties.h"
#include "simulator/cudart/launch/registry.h"
#include "simulator/cudart/memory/pool.h"
#include "simulator/cudart/queue/capture.h"
#include "simulator/cudart/queue/host_flags.h"
#include "simulator/cudart/report/error.h"
#include "simulator/cudart/report/exit_notes.h"
#include "simulator/cudart/runtime.h"

namespace warpwise::cudart {
namespace {

constexpr int simulated_version = 13000;

/// What the program has chosen for a device.
struct Choices {
  std::atomic<unsigned> flags{cudaDeviceMapHost};
  std::atomic<cudaFuncCache> cache_config{cudaFuncCachePreferNone};
};
PerDevice<Choices> choices;

/// The limits' numbers go to 7, which is shared memory of a block and can only be read.
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

/// Of the current device.
Limits& all_limits() {
  static PerDevice<Limits>& limits = []() -> PerDevice<Limits>& {
    auto& fresh = *new PerDevice<Limits>;
    for (Limits& of_one : fresh) set_defaults(of_one);
    return fresh;
  }();
  return limits.here();
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

cudaFuncCache device_cache_config() { return choices.here().cache_config; }

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
using warpwise::memory::current_device;
using warpwise::memory::set_current_device;

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  return call_on_any_thread("cudaGetDeviceCount", [&] {
    store(count, device_count());
    need_some_device();
  });
}

cudaError_t cudaGetDevice(int* device) {
  return call_without_device("cudaGetDevice", [&] {
    need_some_device();
    store(device, current_device());
  });
}

cudaError_t cudaSetDevice(int device) {
  return call_without_device("cudaSetDevice", [&] {
    // It is current even where that fails.
    if (device >= 0 && device < device_count()) set_current_device(device);
    need_context_of(device);
    check_device(device);
  });
}

cudaError_t cudaInitDevice(int device, unsigned, unsigned) {
  return call_without_device("cudaInitDevice", [&] {
    need_context_of(device);
    check_device(device);
  });
}

cudaError_t cudaSetValidDevices(int* devices, int count) {
  return call_without_device("cudaSetValidDevices", [&] {
    if (count < 0 || count > device_count() || (devices == nullptr && count > 0))
      throw Failure{cudaErrorInvalidValue, ""};
    for (int i = 0; i < count; ++i) check_device(devices[i]);
  });
}

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* wanted) {
  return call_without_device("cudaChooseDevice", [&] {
    given(wanted);
    need_some_device();
    store(device, 0);  // All are equal.
  });
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return call_on_any_thread("cudaGetDeviceProperties", [&] {
    check_device(device);
    store(properties, properties_of(runtime().gpu, place_of_device(device)));
  });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return call_without_device("cudaDeviceGetAttribute", [&] {
    check_device(device);
    const auto found = attribute_of(runtime().gpu, attribute, place_of_device(device));
    if (!found) {
      throw Failure{cudaErrorInvalidValue,
                    fmt::format("{} is not an attribute", static_cast<int>(attribute))};
    }
    store(value, *found);
  });
}

cudaError_t cudaDeviceSynchronize() {
  return call("cudaDeviceSynchronize", [] {
    forbid_device_wait();
    runtime().queue.wait_for_device(current_device());
    trim_pools(true);
    after_wait();
  });
}

cudaError_t cudaDeviceReset() {
  // Releases all memory of the current device, as the end of the real context does; handles of the
  // program become stale.
  return call_without_device("cudaDeviceReset", [] {
    if (end_after_fault()) return;
    Runtime& device = runtime();
    device.queue.wait_for_device(current_device());
    note_leaks(current_device());
    for (const auto* allocation : device.memory.live()) {
      if (allocation->device != current_device()) continue;
      using warpwise::memory::Kind;
      const bool of_module =
          allocation->kind == Kind::variable || allocation->kind == Kind::constant;
      if (!of_module) device.memory.release(allocation->base);
    }
    reset_pools();
    forget_all_flags();
    registry().initialise_variables();
    set_defaults(all_limits());
    choices.here().cache_config = cudaFuncCachePreferNone;
    choices.here().flags = cudaDeviceMapHost;
    device.memory.peers().reset(current_device());
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
    choices.here().cache_config = config;
  });
}

// Banks of shared memory have one width on every simulated GPU; these calls are a leftover of older
// ones.
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
  return call("cudaDeviceGetCacheConfig", [&] { store(config, device_cache_config()); });
}

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  return call_after_fault("cudaSetDeviceFlags", [&] {
    if ((flags & ~unsigned{cudaDeviceMask}) != 0 ||
        std::popcount(flags & unsigned{cudaDeviceScheduleMask}) > 1) {
      throw Failure{cudaErrorInvalidValue, "unknown flags, or more than one way to wait"};
    }
    choices.here().flags = flags | cudaDeviceMapHost;
  });
}

cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  return call_without_device("cudaGetDeviceFlags",
                             [&] { store(flags, choices.here().flags.load()); });
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* id) {
  return call_without_device("cudaDeviceGetByPCIBusId", [&] {
    given(device), given(id);
    unsigned domain = 0, bus = 0, slot = 0;
    if (std::sscanf(id, "%x:%x:%x", &domain, &bus, &slot) < 2) {
      throw Failure{cudaErrorInvalidValue, "an id looks like domain:bus:device.function"};
    }
    for (int one = 0; one < device_count(); ++one)
      if (id == bus_id(one)) return void(*device = one);
    throw Failure{cudaErrorInvalidDevice, "no such device"};
  });
}

cudaError_t cudaCtxResetPersistingL2Cache() {
  return call_without_device("cudaCtxResetPersistingL2Cache", [] { need_old_context(); });
}

cudaError_t cudaDeviceGetPCIBusId(char* text, int size, int device) {
  return call_without_device("cudaDeviceGetPCIBusId", [&] {
    check_device(device);
    given(text);
    const std::string id = bus_id(device);
    if (size <= static_cast<int>(id.size())) {
      throw Failure{cudaErrorInvalidValue,
                    fmt::format("the id has {} characters and a zero", id.size())};
    }
    std::snprintf(text, static_cast<std::size_t>(size), "%s", id.c_str());
  });
}

cudaError_t cudaDriverGetVersion(int* version) {
  return call_on_any_thread("cudaDriverGetVersion", [&] { store(version, simulated_version); });
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  return call_on_any_thread("cudaRuntimeGetVersion", [&] { store(version, simulated_version); });
}

cudaError_t cudaProfilerStart() {
  return call("cudaProfilerStart", [] { forbid_while_capturing(); });
}

cudaError_t cudaProfilerStop() {
  return call("cudaProfilerStop", [] { forbid_while_capturing(); });
}
}
