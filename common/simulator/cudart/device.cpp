#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <string_view>

#include "simulator/cudart/capture.h"
#include "simulator/cudart/error.h"
#include "simulator/cudart/properties.h"
#include "simulator/cudart/runtime.h"

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

template <typename Value>
void store(Value* out, Value value) {
  if (out == nullptr) throw Failure{cudaErrorInvalidValue, ""};
  *out = value;
}

cudaError_t without_ipc(const char* function) {
  return call(function, [] {
    throw Failure{cudaErrorNotSupported, "memory and events of the simulator stay in one process"};
  });
}

std::atomic<unsigned> device_flags{cudaDeviceScheduleAuto};

}  // namespace

std::atomic<std::size_t>& device_limit(cudaLimit which) {
  static std::array<std::atomic<std::size_t>, 7> limits = {1024, 1 << 20, 8 << 20, 2, 2048, 64, 0};
  const auto index = static_cast<std::size_t>(which);
  if (index >= limits.size()) throw Failure{cudaErrorUnsupportedLimit, ""};
  return limits[index];
}

}  // namespace warpwise::cudart

using namespace warpwise::cudart;

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  return call("cudaGetDeviceCount", [&] { store(count, 1); });
}

cudaError_t cudaGetDevice(int* device) {
  return call("cudaGetDevice", [&] { store(device, 0); });
}

cudaError_t cudaSetDevice(int device) {
  return call("cudaSetDevice", [&] { check_device(device); });
}

cudaError_t cudaInitDevice(int device, unsigned, unsigned) {
  return call("cudaInitDevice", [&] { check_device(device); });
}

cudaError_t cudaSetValidDevices(int* devices, int count) {
  return call("cudaSetValidDevices", [&] {
    if (count < 0 || (devices == nullptr && count > 0)) throw Failure{cudaErrorInvalidValue, ""};
    for (int i = 0; i < count; ++i) check_device(devices[i]);
  });
}

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) {
  return call("cudaChooseDevice", [&] { store(device, 0); });
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return call("cudaGetDeviceProperties", [&] {
    check_device(device);
    store(properties, properties_of(runtime().gpu));
  });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return call("cudaDeviceGetAttribute", [&] {
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
    after_wait();
  });
}

cudaError_t cudaDeviceReset() {
  // Releases all memory, as the end of the real context does; handles of the program become stale.
  return call("cudaDeviceReset", [] {
    Runtime& device = runtime();
    device.queue.wait_for_all();
    for (const auto* allocation : device.memory.live()) {
      using warpwise::memory::Kind;
      const bool of_module =
          allocation->kind == Kind::variable || allocation->kind == Kind::constant;
      if (!of_module) device.memory.release(allocation->base);
    }
    after_wait();
  });
}

cudaError_t cudaDeviceSetLimit(cudaLimit which, size_t value) {
  return call("cudaDeviceSetLimit", [&] { device_limit(which) = value; });
}

cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit which) {
  return call("cudaDeviceGetLimit", [&] { store(value, device_limit(which).load()); });
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) {
  return call("cudaDeviceSetCacheConfig", [] {});
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  return call("cudaDeviceGetCacheConfig", [&] { store(config, cudaFuncCachePreferNone); });
}

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  return call("cudaSetDeviceFlags", [&] { device_flags = flags; });
}

cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  return call("cudaGetDeviceFlags", [&] { store(flags, device_flags.load()); });
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return call("cudaDeviceCanAccessPeer", [&] {
    check_device(device);
    check_device(peer);
    store(can, 0);
  });
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  return call("cudaDeviceEnablePeerAccess", [&] {
    if (flags != 0) throw Failure{cudaErrorInvalidValue, ""};
    check_device(peer);
    throw Failure{cudaErrorInvalidDevice, "a device is no peer of itself"};
  });
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return call("cudaDeviceDisablePeerAccess", [&] {
    check_device(peer);
    throw Failure{cudaErrorInvalidDevice, "a device is no peer of itself"};
  });
}

cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr, int device, int peer) {
  return call("cudaDeviceGetP2PAttribute", [&] {
    check_device(device);
    check_device(peer);
    if (value == nullptr) throw Failure{cudaErrorInvalidValue, ""};
    throw Failure{cudaErrorInvalidDevice, "a device is no peer of itself"};
  });
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* id) {
  return call("cudaDeviceGetByPCIBusId", [&] {
    if (device == nullptr || id == nullptr) throw Failure{cudaErrorInvalidValue, ""};
    if (std::string_view(id) != bus_id) throw Failure{cudaErrorInvalidValue, "no such device"};
    *device = 0;
  });
}

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t*, void*) {
  return without_ipc("cudaIpcGetMemHandle");
}
cudaError_t cudaIpcOpenMemHandle(void**, cudaIpcMemHandle_t, unsigned) {
  return without_ipc("cudaIpcOpenMemHandle");
}
cudaError_t cudaIpcCloseMemHandle(void*) { return without_ipc("cudaIpcCloseMemHandle"); }
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t*, cudaEvent_t) {
  return without_ipc("cudaIpcGetEventHandle");
}
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t*, cudaIpcEventHandle_t) {
  return without_ipc("cudaIpcOpenEventHandle");
}

cudaError_t cudaCtxResetPersistingL2Cache() {
  return call("cudaCtxResetPersistingL2Cache", [] {});
}

cudaError_t cudaDeviceGetPCIBusId(char* text, int size, int device) {
  return call("cudaDeviceGetPCIBusId", [&] {
    check_device(device);
    if (text == nullptr || size <= 0) throw Failure{cudaErrorInvalidValue, ""};
    std::snprintf(text, static_cast<std::size_t>(size), "%s", bus_id);
  });
}

cudaError_t cudaDriverGetVersion(int* version) {
  return call("cudaDriverGetVersion", [&] { store(version, simulated_version); });
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  return call("cudaRuntimeGetVersion", [&] { store(version, simulated_version); });
}

cudaError_t cudaProfilerStart() {
  return call("cudaProfilerStart", [] {});
}

cudaError_t cudaProfilerStop() {
  return call("cudaProfilerStop", [] {});
}
}
