// Functions of the driver, looked for by name.
#include <cuda.h>

#include <cstring>

#include "answers.h"

using namespace answers;

namespace {

/// Looks for the function in a version of the driver. @return null where there is none.
void* look(const char* name, unsigned version = CUDART_VERSION) {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found = {};
  const cudaError_t error =
      cudaGetDriverEntryPointByVersion(name, &function, version, cudaEnableDefault, &found);
  std::printf("%s %u -> %s, result %d, %s\n", name, version, cudaGetErrorName(error),
              static_cast<int>(found), function == nullptr ? "null" : "a function");
  return function;
}

template <typename... Parameters>
struct Entry {
  const char* name;
  CUresult (*function)(Parameters...);
  /// Calls it and prints what it answers, as a number.
  void operator()(const char* text, Parameters... arguments) const {
    const int code = function == nullptr ? -1 : static_cast<int>(function(arguments...));
    const char* last = cudaGetErrorName(cudaGetLastError());
    std::printf("%s(%s) -> %d (last %s)\n", name, text, code, last);
  }
};

template <typename... Parameters>
Entry<Parameters...> driver_entry(const char* name, CUresult (*)(Parameters...)) {
  void* function = look(name);
  return {name, reinterpret_cast<CUresult (*)(Parameters...)>(function)};
}

}  // namespace

#define ENTRY(function) driver_entry(#function, decltype(&function){})
#define CALL(function, ...) function(#__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)

SUBJECT(driver_entries) {
  about("versions");
  for (const unsigned version : {1000u, 2000u, 3010u, 3020u, 4000u, 12000u, 13000u}) {
    look("cuMemAlloc", version);
    look("cuMemGetInfo", version);
    look("cuTensorMapEncodeTiled", version);
    look("cuStreamWriteValue32", version);
    look("cuGraphInstantiate", version);
    look("cuLaunchKernelEx", version);
  }
  about("names");
  for (const char* name : {"cuMemAlloc_v2",
                           "cuMemcpyHtoD_v2",
                           "cuGetProcAddress",
                           "cuCtxCreate",
                           "cuModuleLoadData",
                           "cuMemCreate",
                           "cuMulticastCreate",
                           "cuGreenCtxCreate",
                           "cuCheckpointProcessLock",
                           "cuMemAllo",
                           "CUMEMALLOC",
                           "cudaMalloc",
                           "cuD3D11GetDevice",
                           "cuGLGetDevices",
                           "cuEGLStreamConsumerConnect",
                           "cuProfilerStart",
                           "cuStreamWaitValue32",
                           "cuMemcpyHtoDAsync_v2_ptsz",
                           "cuStreamGetCtx",
                           "cuLogsRegisterCallback"}) {
    look(name);
  }
  about("flags");
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found = {};
  ASK(cudaGetDriverEntryPointByVersion("cuMemsetD8Async", &function, 13000, cudaEnableLegacyStream,
                                       &found));
  SHOW(function);
  ASK(cudaGetDriverEntryPointByVersion("cuMemsetD8Async", &function, 13000,
                                       cudaEnablePerThreadDefaultStream, &found));
  SHOW(function);
  ASK(cudaGetDriverEntryPointByVersion("cuMemsetD8Async", &function, 13000, 3, &found));
  ASK(cudaGetDriverEntryPointByVersion("cuMemsetD8Async", &function, 13000, 4, &found));
  ASK(cudaGetDriverEntryPointByVersion("cuMemAlloc", &function, 0, 0, &found));
  ASK(cudaGetDriverEntryPointByVersion("cuMemAlloc", &function, 13010, 0, &found));
  ASK(cudaGetDriverEntryPointByVersion("cuMemAlloc", &function, 99000, 0, &found));
  ASK(cudaGetDriverEntryPointByVersion("cuMemAlloc", &function, 13000, 0, nullptr));
}

SUBJECT(driver_memory) {
  cudaFree(nullptr);
  CUdeviceptr p = 0, q = 0, base = 0;
  std::size_t bytes = 0, total = 0;
  const auto alloc = ENTRY(cuMemAlloc);
  const auto release = ENTRY(cuMemFree);
  const auto to_device = ENTRY(cuMemcpyHtoD);
  const auto to_host = ENTRY(cuMemcpyDtoH);
  const auto between = ENTRY(cuMemcpyDtoD);
  const auto copy = ENTRY(cuMemcpy);
  const auto copy_later = ENTRY(cuMemcpyAsync);
  const auto set8 = ENTRY(cuMemsetD8);
  const auto set16 = ENTRY(cuMemsetD16);
  const auto set32 = ENTRY(cuMemsetD32);
  const auto set32_later = ENTRY(cuMemsetD32Async);
  const auto info = ENTRY(cuMemGetInfo);
  const auto range = ENTRY(cuMemGetAddressRange);
  CALL(alloc, &p, 4096);
  CALL(alloc, &q, 4096);
  CALL(alloc, nullptr, 4096);
  CALL(alloc, &q, 0);
  CALL(alloc, &base, std::size_t{1} << 50);
  int host[4] = {1, 2, 3, 4}, back[4] = {};
  CALL(to_device, p, host, sizeof host);
  CALL(between, p + 16, p, sizeof host);
  CALL(to_host, back, p + 16, sizeof back);
  SHOW(back[3]);
  CALL(set32, p, 77, 4);
  CALL(set16, p + 4, 1, 2);
  CALL(set8, p + 8, 1, 4);
  CALL(copy, reinterpret_cast<CUdeviceptr>(back), p, 16);
  SHOW(back[0]);
  SHOW(back[1]);
  SHOW(back[2]);
  SHOW(back[3]);
  CALL(set32_later, p, 5, 4, nullptr);
  CALL(copy_later, reinterpret_cast<CUdeviceptr>(back), p, 16, nullptr);
  ASK(cudaDeviceSynchronize());
  SHOW(back[3]);
  CALL(to_device, 0, host, 16);
  CALL(to_device, p, nullptr, 16);
  CALL(to_device, p, host, 0);
  CALL(to_host, back, reinterpret_cast<CUdeviceptr>(host), 16);
  CALL(set32, p + 1, 5, 1);
  CALL(set16, p + 1, 5, 1);
  CALL(set8, 0, 5, 1);
  CALL(set8, p, 5, 0);
  CALL(info, &bytes, &total);
  SHOW(bytes > 0 && bytes < total);
  CALL(range, &base, &bytes, p + 100);
  SHOW(base == p);
  SHOW(static_cast<long long>(bytes));
  CALL(range, nullptr, nullptr, p);
  CALL(range, &base, &bytes, reinterpret_cast<CUdeviceptr>(host));
  CALL(release, p + 4);
  CALL(release, p);
  CALL(release, p);
  CALL(release, 0);
  ASK(cudaFree(reinterpret_cast<void*>(q)));
  about("of the host");
  void* pinned = nullptr;
  const auto alloc_host = ENTRY(cuMemAllocHost);
  const auto host_alloc = ENTRY(cuMemHostAlloc);
  const auto free_host = ENTRY(cuMemFreeHost);
  const auto device_pointer = ENTRY(cuMemHostGetDevicePointer);
  const auto managed = ENTRY(cuMemAllocManaged);
  CALL(alloc_host, &pinned, 64);
  CALL(device_pointer, &base, pinned, 0);
  CALL(device_pointer, &base, host, 0);
  CALL(free_host, pinned);
  CALL(free_host, host);
  CALL(host_alloc, &pinned, 64, 3);
  CALL(host_alloc, &pinned, 64, 99);
  CALL(managed, &p, 64, CU_MEM_ATTACH_GLOBAL);
  CALL(managed, &p, 64, 0);
}

SUBJECT(driver_queries) {
  int value = -1;
  const auto init = ENTRY(cuInit);
  const auto version = ENTRY(cuDriverGetVersion);
  const auto count = ENTRY(cuDeviceGetCount);
  const auto get = ENTRY(cuDeviceGet);
  const auto attribute = ENTRY(cuDeviceGetAttribute);
  const auto name_of = ENTRY(cuDeviceGetName);
  const auto total = ENTRY(cuDeviceTotalMem);
  const auto error_name = ENTRY(cuGetErrorName);
  const auto error_string = ENTRY(cuGetErrorString);
  CALL(init, 0);
  CALL(init, 7);
  CALL(version, &value);
  SHOW(value >= CUDART_VERSION);
  CALL(version, nullptr);
  CALL(count, &value);
  SHOW(value >= 1);
  CALL(count, nullptr);
  CUdevice device = -1;
  CALL(get, &device, 0);
  SHOW(device);
  CALL(get, &device, 99);
  CALL(get, &device, -1);
  CALL(get, nullptr, 0);
  CALL(attribute, &value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0);
  SHOW(value);
  CALL(attribute, &value, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0);
  SHOW(value);
  CALL(attribute, &value, static_cast<CUdevice_attribute>(9999), 0);
  CALL(attribute, &value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 99);
  CALL(attribute, nullptr, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0);
  char name[100] = {};
  CALL(name_of, name, 100, 0);
  SHOW(std::strncmp(name, "NVIDIA", 6) == 0);
  CALL(name_of, name, 7, 0);
  SHOW(name);
  CALL(name_of, name, 100, 99);
  CALL(name_of, nullptr, 100, 0);
  std::size_t bytes = 0;
  CALL(total, &bytes, 0);
  SHOW(bytes > 1000);
  CALL(total, &bytes, 99);
  const char* text = nullptr;
  for (const int code : {0, 1, 2, 3, 100, 200, 201, 209, 400, 500, 600, 700, 719, 999, 12345}) {
    text = nullptr;
    CALL(error_name, static_cast<CUresult>(code), &text);
    SHOW(text == nullptr ? "null" : text);
    text = nullptr;
    CALL(error_string, static_cast<CUresult>(code), &text);
    SHOW(text == nullptr ? "null" : text);
  }
  about("streams, events, contexts");
  CUstream stream = nullptr;
  CUevent event = nullptr;
  CUcontext context = nullptr;
  const auto create = ENTRY(cuStreamCreate);
  const auto synchronize = ENTRY(cuStreamSynchronize);
  const auto query = ENTRY(cuStreamQuery);
  const auto destroy = ENTRY(cuStreamDestroy);
  const auto make_event = ENTRY(cuEventCreate);
  const auto record = ENTRY(cuEventRecord);
  const auto wait_event = ENTRY(cuEventSynchronize);
  const auto destroy_event = ENTRY(cuEventDestroy);
  const auto stream_waits = ENTRY(cuStreamWaitEvent);
  const auto current = ENTRY(cuCtxGetCurrent);
  cudaFree(nullptr);
  CALL(create, &stream, 0);
  CALL(create, &stream, 77);
  CALL(create, nullptr, 0);
  CALL(query, stream);
  CALL(query, nullptr);
  CALL(synchronize, stream);
  CALL(make_event, &event, 0);
  CALL(make_event, &event, 99);
  CALL(record, event, stream);
  CALL(record, nullptr, stream);
  CALL(stream_waits, stream, event, 0);
  CALL(stream_waits, stream, event, 9);
  CALL(wait_event, event);
  CALL(wait_event, nullptr);
  CALL(destroy_event, event);
  CALL(destroy_event, nullptr);
  ASK(cudaStreamSynchronize(stream));
  CALL(destroy, stream);
  CALL(destroy, nullptr);
  CALL(current, &context);
  SHOW(context);
  CALL(current, nullptr);
}
