#include <cuda_runtime_api.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <string>

#include "simulator/cudart/device/driver_functions.h"
#include "simulator/cudart/device/properties.h"
#include "simulator/cudart/runtime.h"

// The driver's queries about devices and errors, and its streams and events, by those of the
// runtime.
namespace warpwise::cudart {
namespace {

bool is_device(CUdevice device) { return device >= 0 && device < device_count(); }

CUresult init(unsigned flags) { return flags == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE; }

CUresult driver_get_version(int* version) {
  return as_driver([&] { return cudaDriverGetVersion(version); });
}

CUresult device_get_count(int* count) {
  return as_driver([&] { return cudaGetDeviceCount(count); });
}

CUresult device_get(CUdevice* device, int ordinal) {
  if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (!is_device(ordinal)) return CUDA_ERROR_INVALID_DEVICE;
  *device = ordinal;
  return CUDA_SUCCESS;
}

CUresult device_get_attribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  return as_driver([&] {
    return cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), device);
  });
}

CUresult device_get_name(char* name, int bytes, CUdevice device) {
  if (name == nullptr || bytes <= 0) return CUDA_ERROR_INVALID_VALUE;
  cudaDeviceProp properties = {};
  const CUresult result = as_driver([&] { return cudaGetDeviceProperties(&properties, device); });
  if (result == CUDA_SUCCESS)
    std::snprintf(name, static_cast<std::size_t>(bytes), "%s", properties.name);
  return result;
}

CUresult device_total_mem(std::size_t* bytes, CUdevice device) {
  if (bytes == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (!is_device(device)) return CUDA_ERROR_INVALID_DEVICE;
  *bytes = runtime().memory.capacity_bytes();
  return CUDA_SUCCESS;
}

/// The error numbers that have other names in the driver than in the runtime, with the same text.
constexpr std::pair<int, const char*> own_names[] = {
    {0, "SUCCESS"},
    {2, "ERROR_OUT_OF_MEMORY"},
    {3, "ERROR_NOT_INITIALIZED"},
    {4, "ERROR_DEINITIALIZED"},
    {46, "ERROR_DEVICE_UNAVAILABLE"},
    {200, "ERROR_INVALID_IMAGE"},
    {201, "ERROR_INVALID_CONTEXT"},
    {205, "ERROR_MAP_FAILED"},
    {206, "ERROR_UNMAP_FAILED"},
    {209, "ERROR_NO_BINARY_FOR_GPU"},
    {301, "ERROR_FILE_NOT_FOUND"},
    {302, "ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND"},
    {304, "ERROR_OPERATING_SYSTEM"},
    {400, "ERROR_INVALID_HANDLE"},
    {500, "ERROR_NOT_FOUND"},
    {709, "ERROR_CONTEXT_IS_DESTROYED"},
    {710, "ERROR_ASSERT"},
    {719, "ERROR_LAUNCH_FAILED"},
};

/// "cudaErrorInvalidValue" is CUDA_ERROR_INVALID_VALUE.
std::string name_of(int code) {
  for (const auto& [number, name] : own_names)
    if (number == code) return std::string("CUDA_") + name;
  std::string name = "CUDA";
  for (const char* c = error_name(static_cast<cudaError_t>(code)) + 4; *c != 0; ++c) {
    const bool begins = *c >= 'A' && *c <= 'Z';
    if (begins) name += '_';
    name += begins ? *c : static_cast<char>(*c - 'a' + 'A');
  }
  return name;
}

bool is_error(CUresult code) {
  return std::strncmp(error_name(static_cast<cudaError_t>(code)), "cuda", 4) == 0;
}

CUresult get_error_name(CUresult code, const char** text) {
  static auto& names = *new std::map<int, std::string>;
  static std::mutex mutex;
  if (text == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *text = nullptr;
  if (!is_error(code)) return CUDA_ERROR_INVALID_VALUE;
  const std::lock_guard lock(mutex);
  *text = names.try_emplace(code, name_of(code)).first->second.c_str();
  return CUDA_SUCCESS;
}

CUresult get_error_string(CUresult code, const char** text) {
  if (text == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *text = is_error(code) ? error_text(static_cast<cudaError_t>(code)) : nullptr;
  return *text == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult ctx_get_current(CUcontext* context) {
  if (context == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *context = runtime_exists() ? reinterpret_cast<CUcontext>(&runtime()) : nullptr;
  return CUDA_SUCCESS;
}

CUresult stream_create(CUstream* stream, unsigned flags) {
  return as_driver([&] { return cudaStreamCreateWithFlags(stream, flags); });
}

CUresult stream_destroy(CUstream stream) {
  return as_driver([&] { return cudaStreamDestroy(stream); });
}

CUresult stream_synchronize(CUstream stream) {
  return as_driver([&] { return cudaStreamSynchronize(stream); });
}

CUresult stream_query(CUstream stream) {
  return as_driver([&] { return cudaStreamQuery(stream); });
}

CUresult stream_wait_event(CUstream stream, CUevent event, unsigned flags) {
  return as_driver([&] { return cudaStreamWaitEvent(stream, event, flags); });
}

CUresult event_create(CUevent* event, unsigned flags) {
  return as_driver([&] { return cudaEventCreateWithFlags(event, flags); });
}

CUresult event_destroy(CUevent event) {
  return as_driver([&] { return cudaEventDestroy(event); });
}

CUresult event_record(CUevent event, CUstream stream) {
  return as_driver([&] { return cudaEventRecord(event, stream); });
}

CUresult event_synchronize(CUevent event) {
  return as_driver([&] { return cudaEventSynchronize(event); });
}

CUresult event_query(CUevent event) {
  return as_driver([&] { return cudaEventQuery(event); });
}

}  // namespace

std::span<const DriverFunction> driver_query_functions() {
  static const DriverFunction functions[] = {
      driver_function("cuInit", 2000, init),
      driver_function("cuDriverGetVersion", 2020, driver_get_version),
      driver_function("cuDeviceGetCount", 2000, device_get_count),
      driver_function("cuDeviceGet", 2000, device_get),
      driver_function("cuDeviceGetAttribute", 2000, device_get_attribute),
      driver_function("cuDeviceGetName", 2000, device_get_name),
      driver_function("cuDeviceTotalMem", 3020, device_total_mem),
      driver_function("cuGetErrorName", 6000, get_error_name),
      driver_function("cuGetErrorString", 6000, get_error_string),
      driver_function("cuCtxGetCurrent", 4000, ctx_get_current),
      driver_function("cuStreamCreate", 2000, stream_create),
      driver_function("cuStreamDestroy", 4000, stream_destroy),
      driver_function("cuStreamSynchronize", 2000, stream_synchronize),
      driver_function("cuStreamQuery", 2000, stream_query),
      driver_function("cuStreamWaitEvent", 3020, stream_wait_event),
      driver_function("cuEventCreate", 2000, event_create),
      driver_function("cuEventDestroy", 4000, event_destroy),
      driver_function("cuEventRecord", 2000, event_record),
      driver_function("cuEventSynchronize", 2000, event_synchronize),
      driver_function("cuEventQuery", 2000, event_query),
  };
  return functions;
}

}  // namespace warpwise::cudart
