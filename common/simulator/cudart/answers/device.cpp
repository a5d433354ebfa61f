// The device, streams, events, errors, libraries.
#include <cuda_profiler_api.h>

#include <cstring>
#include <thread>

#include "answers.h"

using namespace answers;

SUBJECT(errors) {
  for (int code = 0; code < 1010; ++code) {
    const auto error = static_cast<cudaError_t>(code);
    if (std::strcmp(cudaGetErrorName(error), "unrecognized error code") == 0) continue;
    std::printf("%d %s: %s\n", code, cudaGetErrorName(error), cudaGetErrorString(error));
  }
  SHOW(cudaGetErrorName(static_cast<cudaError_t>(12345)));
  SHOW(cudaGetErrorString(static_cast<cudaError_t>(12345)));
  SHOW(cudaGetErrorName(static_cast<cudaError_t>(10000)));
  about("what cudaGetLastError clears");
  cudaSetDevice(77);
  cudaMalloc(nullptr, 1);
  SHOW(cudaGetErrorName(cudaPeekAtLastError()));
  SHOW(cudaGetErrorName(cudaPeekAtLastError()));
  SHOW(cudaGetErrorName(cudaGetLastError()));
  SHOW(cudaGetErrorName(cudaGetLastError()));
  cudaSetDevice(77);
  std::thread([] { SHOW(cudaGetErrorName(cudaGetLastError())); }).join();
  SHOW(cudaGetErrorName(cudaGetLastError()));
  cudaSetDevice(77);
  cudaSetDevice(0);
  SHOW(cudaGetErrorName(cudaGetLastError()));
}

SUBJECT(attributes) {
  // Left out: where the device sits, and what depends on its machine and driver.
  for (int i = 1; i < cudaDevAttrMax; ++i) {
    const auto attribute = static_cast<cudaDeviceAttr>(i);
    if (attribute == cudaDevAttrPciBusId || attribute == cudaDevAttrPciDeviceId ||
        attribute == cudaDevAttrPciDomainId || attribute == cudaDevAttrHostNumaId) {
      continue;
    }
    int value = -77;
    const cudaError_t error = cudaDeviceGetAttribute(&value, attribute, 0);
    std::printf("attribute %d -> %s %d\n", i, cudaGetErrorName(error), value);
    cudaGetLastError();
  }
  int value = 0;
  ASK(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(0), 0));
  ASK(cudaDeviceGetAttribute(&value, cudaDevAttrMax, 0));
  ASK(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 9));
  ASK(cudaDeviceGetAttribute(nullptr, cudaDevAttrWarpSize, 0));
  cudaDeviceProp p = {};
  ASK(cudaGetDeviceProperties(&p, 0));
  ASK(cudaGetDeviceProperties(&p, 9));
  ASK(cudaGetDeviceProperties(&p, -1));
  ASK(cudaGetDeviceProperties(nullptr, 0));
#define FIELD(name) std::printf("  " #name " = %lld\n", static_cast<long long>(p.name))
  FIELD(sharedMemPerBlock), FIELD(regsPerBlock), FIELD(warpSize), FIELD(memPitch);
  FIELD(maxThreadsPerBlock), FIELD(maxThreadsDim[0]), FIELD(maxThreadsDim[1]);
  FIELD(maxThreadsDim[2]), FIELD(maxGridSize[0]), FIELD(maxGridSize[1]), FIELD(maxGridSize[2]);
  FIELD(totalConstMem), FIELD(major), FIELD(minor), FIELD(textureAlignment);
  FIELD(texturePitchAlignment), FIELD(multiProcessorCount), FIELD(integrated);
  FIELD(canMapHostMemory), FIELD(surfaceAlignment), FIELD(concurrentKernels), FIELD(ECCEnabled);
  FIELD(tccDriver), FIELD(asyncEngineCount), FIELD(unifiedAddressing), FIELD(memoryBusWidth);
  FIELD(l2CacheSize), FIELD(persistingL2CacheMaxSize), FIELD(maxThreadsPerMultiProcessor);
  FIELD(streamPrioritiesSupported), FIELD(globalL1CacheSupported), FIELD(localL1CacheSupported);
  FIELD(sharedMemPerMultiprocessor), FIELD(regsPerMultiprocessor), FIELD(managedMemory);
  FIELD(isMultiGpuBoard), FIELD(hostNativeAtomicSupported), FIELD(pageableMemoryAccess);
  FIELD(concurrentManagedAccess), FIELD(computePreemptionSupported);
  FIELD(canUseHostPointerForRegisteredMem), FIELD(cooperativeLaunch);
  FIELD(sharedMemPerBlockOptin), FIELD(pageableMemoryAccessUsesHostPageTables);
  FIELD(directManagedMemAccessFromHost), FIELD(maxBlocksPerMultiProcessor);
  FIELD(accessPolicyMaxWindowSize), FIELD(reservedSharedMemPerBlock);
  FIELD(hostRegisterSupported), FIELD(sparseCudaArraySupported);
  FIELD(hostRegisterReadOnlySupported), FIELD(timelineSemaphoreInteropSupported);
  FIELD(memoryPoolsSupported), FIELD(clusterLaunch), FIELD(unifiedFunctionPointers);
  FIELD(deferredMappingCudaArraySupported), FIELD(ipcEventSupported), FIELD(deviceNumaConfig);
  FIELD(maxTexture1D), FIELD(maxTexture2D[0]), FIELD(maxTexture2D[1]), FIELD(maxTexture3D[0]);
  FIELD(maxSurface1D), FIELD(maxSurface2D[0]), FIELD(maxSurface3D[0]);
  FIELD(totalGlobalMem);
}

SUBJECT(device) {
  int value = -1;
  unsigned flags = 0;
  std::size_t bytes = 0;
  ASK(cudaGetDeviceCount(nullptr));
  ASK(cudaGetDevice(nullptr));
  ASK(cudaGetDevice(&value));
  ASK(cudaSetDevice(7 + 70));
  ASK(cudaSetDevice(-1));
  ASK(cudaSetDevice(0));
  ASK(cudaInitDevice(0, 0, 0));
  ASK(cudaInitDevice(9 + 90, 0, 0));
  int devices[] = {0, 0};
  ASK(cudaSetValidDevices(devices, 1));
  ASK(cudaSetValidDevices(nullptr, 0));
  ASK(cudaSetValidDevices(nullptr, 1));
  devices[0] = 99;
  ASK(cudaSetValidDevices(devices, 1));
  cudaDeviceProp wish = {};
  ASK(cudaChooseDevice(&value, &wish));
  ASK(cudaChooseDevice(nullptr, &wish));
  ASK(cudaChooseDevice(&value, nullptr));
  for (int i = 0; i < 8; ++i) {
    const auto limit = static_cast<cudaLimit>(i);
    std::printf("limit %d\n", i);
    if (ASK(cudaDeviceGetLimit(&bytes, limit))) SHOW(bytes);
  }
  ASK(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
  ASK(cudaDeviceGetLimit(&bytes, cudaLimitStackSize));
  SHOW(bytes);
  ASK(cudaDeviceSetLimit(cudaLimitStackSize, 1 << 30));
  ASK(cudaDeviceGetLimit(&bytes, cudaLimitStackSize));
  SHOW(bytes);
  ASK(cudaDeviceSetLimit(cudaLimitStackSize, 1000));
  ASK(cudaDeviceGetLimit(&bytes, cudaLimitStackSize));
  SHOW(bytes);
  ASK(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 22));
  ASK(cudaDeviceGetLimit(&bytes, cudaLimitPrintfFifoSize));
  SHOW(bytes);
  ASK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 32 << 20));
  ASK(cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize));
  SHOW(bytes);
  ASK(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 3));
  ASK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 4096));
  ASK(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, 128));
  ASK(cudaDeviceGetLimit(&bytes, cudaLimitMaxL2FetchGranularity));
  SHOW(bytes);
  ASK(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, 1000));
  ASK(cudaDeviceGetLimit(&bytes, cudaLimitMaxL2FetchGranularity));
  SHOW(bytes);
  ASK(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 1 << 20));
  ASK(cudaDeviceGetLimit(&bytes, cudaLimitPersistingL2CacheSize));
  SHOW(bytes);
  ASK(cudaDeviceSetLimit(static_cast<cudaLimit>(0x77), 1));
  ASK(cudaDeviceGetLimit(&bytes, static_cast<cudaLimit>(0x77)));
  ASK(cudaDeviceGetLimit(nullptr, cudaLimitStackSize));
  cudaFuncCache cache = cudaFuncCachePreferEqual;
  ASK(cudaDeviceGetCacheConfig(&cache));
  SHOW(static_cast<int>(cache));
  ASK(cudaDeviceSetCacheConfig(cudaFuncCachePreferShared));
  ASK(cudaDeviceGetCacheConfig(&cache));
  SHOW(static_cast<int>(cache));
  ASK(cudaDeviceGetCacheConfig(nullptr));
  ASK(cudaDeviceSetCacheConfig(static_cast<cudaFuncCache>(9)));
  ASK(cudaGetDeviceFlags(&flags));
  SHOW(flags);
  ASK(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync));
  ASK(cudaGetDeviceFlags(&flags));
  SHOW(flags);
  ASK(cudaSetDeviceFlags(0x4000));
  ASK(cudaGetDeviceFlags(nullptr));
  ASK(cudaDeviceCanAccessPeer(&value, 0, 0));
  SHOW(value);
  ASK(cudaDeviceCanAccessPeer(&value, 0, 99));
  ASK(cudaDeviceCanAccessPeer(nullptr, 0, 0));
  ASK(cudaDeviceEnablePeerAccess(0, 0));
  ASK(cudaDeviceEnablePeerAccess(99, 0));
  ASK(cudaDeviceDisablePeerAccess(0));
  ASK(cudaDeviceDisablePeerAccess(99));
  ASK(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 0));
  ASK(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 99));
  char id[32] = "";
  ASK(cudaDeviceGetPCIBusId(id, 32, 0));
  ASK(cudaDeviceGetPCIBusId(id, 4, 0));
  ASK(cudaDeviceGetPCIBusId(nullptr, 32, 0));
  ASK(cudaDeviceGetPCIBusId(id, 32, 99));
  ASK(cudaDeviceGetPCIBusId(id, 32, 0));
  ASK(cudaDeviceGetByPCIBusId(&value, id));
  SHOW(value);
  ASK(cudaDeviceGetByPCIBusId(&value, "nonsense"));
  ASK(cudaDeviceGetByPCIBusId(nullptr, id));
  ASK(cudaDeviceGetByPCIBusId(&value, nullptr));
  ASK(cudaDriverGetVersion(nullptr));
  ASK(cudaRuntimeGetVersion(nullptr));
  ASK(cudaRuntimeGetVersion(&value));
  SHOW(value);
  ASK(cudaProfilerStart());
  ASK(cudaProfilerStop());
  ASK(cudaCtxResetPersistingL2Cache());
  void* memory = nullptr;
  cudaMalloc(&memory, 100);
  cudaIpcMemHandle_t handle = {};
  cudaIpcEventHandle_t event_handle = {};
  ASK(cudaIpcGetMemHandle(nullptr, memory));
  ASK(cudaIpcCloseMemHandle(memory));
  ASK(cudaIpcOpenMemHandle(&memory, handle, 0));
  cudaEvent_t event = nullptr;
  cudaEventCreate(&event);
  ASK(cudaIpcGetEventHandle(&event_handle, event));
  cudaFuncCache ignored = cache;
  (void)ignored;
  about("reset");
  int* x = nullptr;
  cudaMalloc(reinterpret_cast<void**>(&x), 100);
  ASK(cudaDeviceReset());
  ASK(cudaFree(x));
  ASK(cudaDeviceGetLimit(&bytes, cudaLimitStackSize));
  SHOW(bytes);
  int five = 0;
  ASK(cudaMemcpyFromSymbol(&five, counter, 4, 0, cudaMemcpyDeviceToHost));
  SHOW(five);
}

SUBJECT(streams) {
  cudaStream_t s = nullptr, t = nullptr;
  unsigned flags = 9;
  int priority = 9, least = 9, greatest = 9;
  unsigned long long id = 0, other = 0;
  ASK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  SHOW(least);
  SHOW(greatest);
  ASK(cudaDeviceGetStreamPriorityRange(nullptr, nullptr));
  ASK(cudaStreamCreate(&s));
  ASK(cudaStreamCreate(nullptr));
  ASK(cudaStreamGetFlags(s, &flags));
  SHOW(flags);
  ASK(cudaStreamGetFlags(s, nullptr));
  ASK(cudaStreamGetFlags(nullptr, &flags));
  SHOW(flags);
  ASK(cudaStreamGetPriority(s, &priority));
  SHOW(priority);
  ASK(cudaStreamGetPriority(s, nullptr));
  ASK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
  ASK(cudaStreamGetFlags(t, &flags));
  SHOW(flags);
  ASK(cudaStreamDestroy(t));
  ASK(cudaStreamCreateWithFlags(&t, 2));
  ASK(cudaStreamCreateWithPriority(&t, cudaStreamNonBlocking, -1));
  ASK(cudaStreamGetPriority(t, &priority));
  SHOW(priority);
  ASK(cudaStreamDestroy(t));
  ASK(cudaStreamCreateWithPriority(&t, cudaStreamDefault, -100));
  ASK(cudaStreamGetPriority(t, &priority));
  SHOW(priority);
  ASK(cudaStreamDestroy(t));
  ASK(cudaStreamCreateWithPriority(&t, cudaStreamDefault, 3));
  ASK(cudaStreamGetPriority(t, &priority));
  SHOW(priority);
  ASK(cudaStreamGetId(s, &id));
  ASK(cudaStreamGetId(t, &other));
  SHOW(id != other);
  ASK(cudaStreamGetId(nullptr, &id));
  ASK(cudaStreamGetId(s, nullptr));
  int device = 9;
  ASK(cudaStreamGetDevice(s, &device));
  SHOW(device);
  ASK(cudaStreamGetDevice(s, nullptr));
  ASK(cudaStreamQuery(s));
  ASK(cudaStreamQuery(nullptr));
  ASK(cudaStreamQuery(cudaStreamPerThread));
  ASK(cudaStreamQuery(cudaStreamLegacy));
  ASK(cudaStreamSynchronize(cudaStreamPerThread));
  ASK(cudaLaunchKernel(slow, 1, 1, nullptr, 0, s));
  ASK(cudaStreamQuery(s));
  ASK(cudaStreamSynchronize(s));
  ASK(cudaStreamQuery(s));
  ASK(cudaStreamDestroy(nullptr));
  ASK(cudaStreamDestroy(cudaStreamLegacy));
  ASK(cudaStreamDestroy(cudaStreamPerThread));
  about("attributes");
  cudaLaunchAttributeValue value = {};
  ASK(cudaStreamGetAttribute(s, cudaLaunchAttributeSynchronizationPolicy, &value));
  SHOW(static_cast<int>(value.syncPolicy));
  value.syncPolicy = cudaSyncPolicyYield;
  ASK(cudaStreamSetAttribute(s, cudaLaunchAttributeSynchronizationPolicy, &value));
  value = {};
  ASK(cudaStreamGetAttribute(s, cudaLaunchAttributeSynchronizationPolicy, &value));
  SHOW(static_cast<int>(value.syncPolicy));
  ASK(cudaStreamGetAttribute(s, cudaLaunchAttributePriority, &value));
  SHOW(value.priority);
  value.priority = -2;
  ASK(cudaStreamSetAttribute(s, cudaLaunchAttributePriority, &value));
  ASK(cudaStreamGetPriority(s, &priority));
  SHOW(priority);
  ASK(cudaStreamGetAttribute(s, cudaLaunchAttributeMemSyncDomain, &value));
  ASK(cudaStreamGetAttribute(s, cudaLaunchAttributeAccessPolicyWindow, &value));
  ASK(cudaStreamGetAttribute(s, cudaLaunchAttributeCooperative, &value));
  ASK(cudaStreamGetAttribute(s, static_cast<cudaLaunchAttributeID>(99), &value));
  ASK(cudaStreamSetAttribute(s, cudaLaunchAttributeCooperative, &value));
  ASK(cudaStreamSetAttribute(s, cudaLaunchAttributePriority, nullptr));
  ASK(cudaStreamGetAttribute(s, cudaLaunchAttributePriority, nullptr));
  ASK(cudaStreamCopyAttributes(t, s));
  ASK(cudaStreamGetAttribute(t, cudaLaunchAttributeSynchronizationPolicy, &value));
  SHOW(static_cast<int>(value.syncPolicy));
  about("host functions");
  static int called = 0;
  ASK(cudaLaunchHostFunc(
      s, [](void* data) { *static_cast<int*>(data) += 1; }, &called));
  ASK(cudaLaunchHostFunc(s, nullptr, nullptr));
  ASK(cudaLaunchHostFunc(
      s, [](void*) { SHOW(cudaGetErrorName(cudaMalloc(nullptr, 4))); }, nullptr));
  ASK(cudaStreamAddCallback(
      s,
      [](cudaStream_t, cudaError_t status, void*) {
        SHOW(cudaGetErrorName(status));
        SHOW(cudaGetErrorName(cudaDeviceSynchronize()));
        called += 10;
      },
      nullptr, 0));
  ASK(cudaStreamAddCallback(s, nullptr, nullptr, 0));
  ASK(cudaStreamAddCallback(
      s, [](cudaStream_t, cudaError_t, void*) {}, nullptr, 1));
  ASK(cudaStreamSynchronize(s));
  SHOW(called);
  about("events");
  cudaEvent_t e = nullptr, f = nullptr, untimed = nullptr;
  float ms = -1;
  ASK(cudaEventCreate(&e));
  ASK(cudaEventCreate(nullptr));
  ASK(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
  ASK(cudaEventCreateWithFlags(&f, 64));
  ASK(cudaEventCreateWithFlags(&f, cudaEventInterprocess));
  ASK(cudaEventCreateWithFlags(&f, cudaEventBlockingSync));
  ASK(cudaEventQuery(e));
  ASK(cudaEventSynchronize(e));
  ASK(cudaStreamWaitEvent(s, e, 0));
  ASK(cudaEventElapsedTime(&ms, e, f));
  ASK(cudaEventRecord(e, s));
  ASK(cudaEventElapsedTime(&ms, e, f));
  ASK(cudaLaunchKernel(slow, 1, 1, nullptr, 0, s));
  ASK(cudaEventRecord(f, s));
  ASK(cudaEventQuery(f));
  ASK(cudaEventElapsedTime(&ms, e, f));
  ASK(cudaEventSynchronize(f));
  ASK(cudaEventElapsedTime(&ms, e, f));
  SHOW(ms > 0);
  ASK(cudaEventElapsedTime(&ms, f, e));
  SHOW(ms < 0);
  ASK(cudaEventElapsedTime(nullptr, e, f));
  ASK(cudaEventRecord(untimed, s));
  ASK(cudaEventSynchronize(untimed));
  ASK(cudaEventElapsedTime(&ms, e, untimed));
  ASK(cudaEventElapsedTime(&ms, nullptr, e));
  ASK(cudaEventRecord(nullptr, s));
  ASK(cudaEventRecordWithFlags(e, s, cudaEventRecordExternal));
  ASK(cudaEventRecordWithFlags(e, s, 7));
  ASK(cudaStreamWaitEvent(s, e, cudaEventWaitExternal));
  ASK(cudaStreamWaitEvent(s, e, 7));
  ASK(cudaStreamWaitEvent(t, e, 0));
  ASK(cudaStreamWaitEvent(s, nullptr, 0));
  ASK(cudaEventQuery(nullptr));
  ASK(cudaEventSynchronize(nullptr));
  ASK(cudaEventDestroy(e));
  ASK(cudaEventDestroy(nullptr));
  ASK(cudaStreamSynchronize(s));
  ASK(cudaStreamDestroy(s));
  about("handles that are gone");
  ASK(cudaEventQuery(e));
  ASK(cudaEventRecord(e, nullptr));
  ASK(cudaEventDestroy(e));
  ASK(cudaStreamSynchronize(s));
  ASK(cudaStreamDestroy(s));
  ASK(cudaLaunchKernel(nothing, 1, 1, nullptr, 0, s));
}

SUBJECT(libraries) {
  const char* ptx =
      ".version 8.0\n.target sm_80\n.address_size 64\n"
      ".visible .global .align 4 .u32 number = 9;\n"
      ".visible .entry one(.param .u64 p) { .reg .b64 %rd<2>; .reg .b32 %r<2>;\n"
      "ld.param.u64 %rd1, [p]; mov.u32 %r1, 4711; st.global.u32 [%rd1], %r1; ret; }\n"
      ".visible .entry two() { ret; }\n";
  cudaLibrary_t library = nullptr;
  cudaKernel_t kernel = nullptr, all[4] = {};
  unsigned count = 9;
  void* address = nullptr;
  std::size_t bytes = 0;
  const auto load = [&](const void* code) {
    return cudaLibraryLoadData(&library, code, nullptr, nullptr, 0, nullptr, nullptr, 0);
  };
  ASK(load("nonsense"));
  ASK(load(nullptr));
  ASK(load(".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry x() { wobble; }"));
  ASK(cudaLibraryLoadData(nullptr, ptx, nullptr, nullptr, 0, nullptr, nullptr, 0));
  ASK(cudaLibraryLoadFromFile(&library, "/no/such/file", nullptr, nullptr, 0, nullptr, nullptr, 0));
  ASK(cudaLibraryLoadFromFile(&library, nullptr, nullptr, nullptr, 0, nullptr, nullptr, 0));
  if (!ASK(load(ptx))) return;
  ASK(cudaLibraryGetKernelCount(&count, library));
  SHOW(count);
  ASK(cudaLibraryGetKernelCount(nullptr, library));
  ASK(cudaLibraryEnumerateKernels(all, 4, library));
  SHOW(all[1]);
  SHOW(all[2]);
  ASK(cudaLibraryEnumerateKernels(nullptr, 2, library));
  ASK(cudaLibraryEnumerateKernels(all, 0, library));
  ASK(cudaLibraryGetKernel(&kernel, library, "one"));
  ASK(cudaLibraryGetKernel(&kernel, library, "three"));
  ASK(cudaLibraryGetKernel(&kernel, library, nullptr));
  ASK(cudaLibraryGetKernel(nullptr, library, "one"));
  ASK(cudaLibraryGetKernel(&kernel, nullptr, "one"));
  ASK(cudaLibraryGetGlobal(&address, &bytes, library, "number"));
  SHOW(bytes);
  int value = 0;
  ASK(cudaMemcpy(&value, address, 4, cudaMemcpyDeviceToHost));
  SHOW(value);
  ASK(cudaLibraryGetGlobal(nullptr, &bytes, library, "number"));
  ASK(cudaLibraryGetGlobal(&address, nullptr, library, "number"));
  ASK(cudaLibraryGetGlobal(&address, &bytes, library, "nothing"));
  ASK(cudaLibraryGetGlobal(&address, &bytes, library, nullptr));
  ASK(cudaLibraryGetManaged(&address, &bytes, library, "number"));
  ASK(cudaLibraryGetManaged(&address, &bytes, library, "nothing"));
  ASK(cudaLibraryGetUnifiedFunction(&address, library, "one"));
  ASK(cudaLibraryGetUnifiedFunction(&address, library, "nothing"));
  ASK(cudaLibraryGetKernel(&kernel, library, "one"));
  ASK(cudaMalloc(&address, 4));
  void* arguments[] = {&address};
  ASK(cudaLaunchKernel(kernel, 1, 1, arguments, 0, nullptr));
  ASK(cudaMemcpy(&value, address, 4, cudaMemcpyDeviceToHost));
  SHOW(value);
  ASK(cudaLibraryUnload(library));
  ASK(cudaLibraryUnload(nullptr));
  about("driver entry points");
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSuccess;
  const auto look = [&](const char* name, unsigned version, unsigned long long flags = 0) {
    return cudaGetDriverEntryPointByVersion(name, &entry, version, flags, &found);
  };
  ASK(look("cuNoSuchThing", 13000));
  SHOW(entry);
  SHOW(static_cast<int>(found));
  ASK(look(nullptr, 13000));
  ASK(look("", 13000));
  ASK(look("cuInit", 13000, 77));
  ASK(look("cuGraphAddNode", 5000));
  SHOW(static_cast<int>(found));
  ASK(cudaGetDriverEntryPointByVersion("cuInit", nullptr, 13000, 0, &found));
  ASK(cudaGetDriverEntryPointByVersion("cuNoSuchThing", &entry, 13000, 0, nullptr));
  ASK(cudaGetDriverEntryPoint("cuNoSuchThing", &entry, 0, &found));
  SHOW(static_cast<int>(found));
}

namespace {

/// What each call says after a kernel has faulted.
void after_fault(const void* kernel) {
  int* x = nullptr;
  int host = 0;
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  cudaMalloc(reinterpret_cast<void**>(&x), 100);
  cudaStreamCreate(&stream);
  cudaEventCreate(&event);
  int* nowhere = kernel == wild ? reinterpret_cast<int*>(0x10) : nullptr;
  void* arguments[] = {&nowhere};
  ASK(cudaLaunchKernel(kernel, 1, 1, arguments, 0, nullptr));
  ASK(cudaDeviceSynchronize());
  ASK(cudaDeviceSynchronize());
  ASK(cudaLaunchKernel(nothing, 1, 1, nullptr, 0, nullptr));
  ASK(cudaMalloc(reinterpret_cast<void**>(&x), 100));
  ASK(cudaMemcpy(&host, x, 4, cudaMemcpyDeviceToHost));
  ASK(cudaMemset(x, 0, 4));
  ASK(cudaFree(x));
  ASK(cudaStreamSynchronize(stream));
  ASK(cudaStreamQuery(stream));
  ASK(cudaEventRecord(event, stream));
  ASK(cudaEventQuery(event));
  ASK(cudaEventSynchronize(event));
  ASK(cudaStreamCreate(&stream));
  int value = 0;
  std::size_t bytes = 0;
  ASK(cudaGetDevice(&value));
  ASK(cudaGetDeviceCount(&value));
  ASK(cudaSetDevice(0));
  ASK(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0));
  cudaDeviceProp properties;
  ASK(cudaGetDeviceProperties(&properties, 0));
  cudaFuncAttributes attributes;
  ASK(cudaFuncGetAttributes(&attributes, nothing));
  ASK(cudaMemGetInfo(&bytes, &bytes));
  ASK(cudaRuntimeGetVersion(&value));
  ASK(cudaDeviceGetLimit(&bytes, cudaLimitStackSize));
  cudaDeviceSynchronize();
  SHOW(cudaGetErrorName(cudaPeekAtLastError()));
  SHOW(cudaGetErrorName(cudaGetLastError()));
  SHOW(cudaGetErrorName(cudaGetLastError()));
  cudaDeviceSynchronize();
  std::thread([] { SHOW(cudaGetErrorName(cudaGetLastError())); }).join();
  ASK(cudaEventDestroy(event));
  ASK(cudaDeviceReset());
  ASK(cudaMalloc(reinterpret_cast<void**>(&x), 100));
  ASK(cudaLaunchKernel(nothing, 1, 1, nullptr, 0, nullptr));
  ASK(cudaDeviceSynchronize());
}

}  // namespace

SUBJECT(fault_address) { after_fault(wild); }
SUBJECT(fault_trap) { after_fault(trapping); }
SUBJECT(fault_assert) { after_fault(asserting); }
