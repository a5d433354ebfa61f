// The device, errors.
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
