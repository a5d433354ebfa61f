// Attributes of kernels and of the device, occupancy, limits, versions.
#include <cstdio>
#include <cstring>

__global__ void plain(int* x) { *x = 1; }

__global__ void __launch_bounds__(256, 2) bounded(float* x) {
  __shared__ float s[1000];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = s[255 - threadIdx.x];
}

__constant__ int constants[100];

__global__ void with_constants(int* x) {
  extern __shared__ char dynamic[];
  dynamic[threadIdx.x] = (char)constants[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = dynamic[threadIdx.x ^ 1];
}

template <typename Kernel>
void describe(const char* name, Kernel kernel) {
  cudaFuncAttributes a;
  const cudaError_t e = cudaFuncGetAttributes(&a, kernel);
  printf("%s: %s, shared %zu, local %zu, max threads %d, ptx %d, binary %d, dynamic %d\n", name,
         cudaGetErrorName(e), a.sharedSizeBytes, a.localSizeBytes, a.maxThreadsPerBlock,
         a.ptxVersion, a.binaryVersion, a.maxDynamicSharedSizeBytes);
  for (int threads : {32, 96, 256, 1024}) {
    int blocks = -1;
    const cudaError_t status =
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, 2000);
    printf("  %d threads: %d blocks %s\n", threads, blocks,
           status == cudaSuccess ? "" : cudaGetErrorName(status));
  }
  int grid = 0, block = 0;
  cudaOccupancyMaxPotentialBlockSize(&grid, &block, kernel, 0, 0);
  printf("  best %d x %d\n", grid, block);
  size_t available = 0;
  cudaOccupancyAvailableDynamicSMemPerBlock(&available, kernel, 4, 128);
  printf("  shared for 4 blocks of 128: %zu\n", available);
}

int main() {
  describe("plain", plain);
  describe("bounded", bounded);
  describe("with_constants", with_constants);
  printf("carveout %s\n", cudaGetErrorName(cudaFuncSetAttribute(
                              plain, cudaFuncAttributePreferredSharedMemoryCarveout, 50)));
  printf("cache %s\n", cudaGetErrorName(cudaFuncSetCacheConfig(plain, cudaFuncCachePreferL1)));
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  printf("sm_%d%d, %d SMs, warp %d, threads %d/%d, shared %zu/%zu/%zu, registers %d/%d, L2 %d\n",
         p.major, p.minor, p.multiProcessorCount, p.warpSize, p.maxThreadsPerBlock,
         p.maxThreadsPerMultiProcessor, p.sharedMemPerBlock, p.sharedMemPerBlockOptin,
         p.sharedMemPerMultiprocessor, p.regsPerBlock, p.regsPerMultiprocessor, p.l2CacheSize);
  printf("grid %d %d %d, block %d %d %d, constant %zu, blocks per SM %d\n", p.maxGridSize[0],
         p.maxGridSize[1], p.maxGridSize[2], p.maxThreadsDim[0], p.maxThreadsDim[1],
         p.maxThreadsDim[2], p.totalConstMem, p.maxBlocksPerMultiProcessor);
  printf("unified %d, managed %d, concurrent %d, cooperative %d, bus %d, pageable %d\n",
         p.unifiedAddressing, p.managedMemory, p.concurrentKernels, p.cooperativeLaunch,
         p.memoryBusWidth, p.concurrentManagedAccess);
  const cudaDeviceAttr attributes[] = {cudaDevAttrMaxThreadsPerBlock,
                                       cudaDevAttrWarpSize,
                                       cudaDevAttrMultiProcessorCount,
                                       cudaDevAttrComputeCapabilityMajor,
                                       cudaDevAttrMaxSharedMemoryPerBlockOptin,
                                       cudaDevAttrMemoryPoolsSupported,
                                       cudaDevAttrClusterLaunch,
                                       cudaDevAttrReservedSharedMemoryPerBlock,
                                       cudaDevAttrMaxBlocksPerMultiprocessor,
                                       cudaDevAttrIntegrated,
                                       cudaDevAttrCanMapHostMemory,
                                       cudaDevAttrSingleToDoublePrecisionPerfRatio};
  for (cudaDeviceAttr a : attributes) {
    int v = -1;
    cudaDeviceGetAttribute(&v, a, 0);
    printf("%d ", v);
  }
  int count = 0, device = -1, runtime = 0, driver = 0;
  cudaGetDeviceCount(&count), cudaGetDevice(&device), cudaRuntimeGetVersion(&runtime),
      cudaDriverGetVersion(&driver);
  printf("\ndevices %d, current %d, runtime %d, driver new enough %d\n", count > 0, device, runtime,
         driver >= 13000);
  size_t free_bytes = 0, total = 0, limit = 0;
  cudaMemGetInfo(&free_bytes, &total);
  printf("memory %d %d\n", free_bytes > 0 && free_bytes <= total, total == p.totalGlobalMem);
  cudaDeviceGetLimit(&limit, cudaLimitStackSize);
  printf("stack %zu, ", limit);
  cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize);
  printf("heap %zu\n", limit);
  const char* name = nullptr;
  cudaFuncGetName(&name, (const void*)bounded);
  printf("%s\n", name ? name : "no name");
  return 0;
}
