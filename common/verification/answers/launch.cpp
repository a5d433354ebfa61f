// Launches: limits, attributes, cooperation, clusters; what the runtime says of kernels.
#include "answers.h"

using namespace answers;

namespace {

int* buffer() {
  static int* x = [] {
    void* fresh = nullptr;
    cudaMalloc(&fresh, 4 << 20);
    return static_cast<int*>(fresh);
  }();
  return x;
}

/// Launches with attributes, without arguments.
cudaError_t launch_with(const void* kernel, dim3 grid, dim3 block,
                        std::initializer_list<cudaLaunchAttribute> attributes,
                        std::size_t shared_bytes = 0, void** arguments = nullptr) {
  cudaLaunchConfig_t config = {};
  config.gridDim = grid;
  config.blockDim = block;
  config.dynamicSmemBytes = shared_bytes;
  config.attrs = const_cast<cudaLaunchAttribute*>(attributes.begin());
  config.numAttrs = static_cast<unsigned>(attributes.size());
  const cudaError_t launched = cudaLaunchKernelExC(&config, kernel, arguments);
  return launched == cudaSuccess ? cudaDeviceSynchronize() : launched;
}

cudaLaunchAttribute cluster(unsigned x, unsigned y = 1, unsigned z = 1) {
  cudaLaunchAttribute result = {};
  result.id = cudaLaunchAttributeClusterDimension;
  result.val.clusterDim = {x, y, z};
  return result;
}

cudaLaunchAttribute integer(cudaLaunchAttributeID id, int value) {
  cudaLaunchAttribute result = {};
  result.id = id;
  result.val.cooperative = value;  // Every integer member is at the union's beginning.
  return result;
}

int active_clusters(const void* kernel, dim3 grid, dim3 block, cudaLaunchAttribute attribute,
                    std::size_t shared_bytes = 0) {
  cudaLaunchConfig_t config = {};
  config.gridDim = grid;
  config.blockDim = block;
  config.dynamicSmemBytes = shared_bytes;
  config.attrs = &attribute;
  config.numAttrs = 1;
  int clusters = -1;
  ASK(cudaOccupancyMaxActiveClusters(&clusters, kernel, &config));
  return clusters;
}

int largest_cluster(const void* kernel, dim3 grid, dim3 block, std::size_t shared_bytes = 0) {
  cudaLaunchConfig_t config = {};
  config.gridDim = grid;
  config.blockDim = block;
  config.dynamicSmemBytes = shared_bytes;
  int size = -1;
  ASK(cudaOccupancyMaxPotentialClusterSize(&size, kernel, &config));
  return size;
}

}  // namespace

SUBJECT(launch_limits) {
  const auto launch = [](const void* kernel, dim3 grid, dim3 block, std::size_t shared_bytes = 0) {
    int* x = buffer();
    void* arguments[] = {&x};
    return cudaLaunchKernel(kernel, grid, block, arguments, shared_bytes, nullptr);
  };
  ASK(launch(nothing, 1, 1));
  ASK(launch(nothing, 0, 1));
  ASK(launch(nothing, dim3(1, 0), 1));
  ASK(launch(nothing, dim3(1, 1, 0), 1));
  ASK(launch(nothing, 1, 0));
  ASK(launch(nothing, 1, dim3(1, 1, 0)));
  ASK(launch(nothing, dim3(1, 65535), 1));
  ASK(launch(nothing, dim3(1, 65536), 1));
  ASK(launch(nothing, dim3(1, 1, 65536), 1));
  ASK(launch(nothing, dim3(1u << 31), 1));
  ASK(launch(nothing, 1, 1024));
  ASK(launch(nothing, 1, 1025));
  ASK(launch(nothing, 1, dim3(1, 1, 64)));
  ASK(launch(nothing, 1, dim3(1, 1, 65)));
  ASK(launch(nothing, 1, dim3(32, 33)));
  ASK(launch(nothing, 1, dim3(65536, 65536)));
  ASK(launch(nothing, 1, 1, 48 << 10));
  ASK(launch(nothing, 1, 1, (48 << 10) + 1));
  ASK(launch(nothing, 1, 1, 1 << 30));
  ASK(launch(bounded, 1, 64));
  ASK(launch(bounded, 1, 65));
  ASK(launch(bounded, 1, 64, (48 << 10) - 256));
  ASK(launch(bounded, 1, 64, (48 << 10) - 255));
  ASK(launch(hungry, 1, 256));
  ASK(launch(hungry, 1, 1024));
  ASK(launch(nullptr, 1, 1));
  static const int no_function = 0;
  ASK(launch(&no_function, 1, 1));
  ASK(cudaLaunchKernel(nothing, 1, 1, nullptr, 0, nullptr));
  ASK(cudaDeviceSynchronize());
}

SUBJECT(launch_attributes) {
  int* x = buffer();
  void* arguments[] = {&x};
  ASK(cudaLaunchKernelExC(nullptr, nothing, nullptr));
  ASK(launch_with(nothing, 2, 32, {}));
  ASK(launch_with(nothing, 2, 32, {integer(cudaLaunchAttributeIgnore, 1)}));
  ASK(launch_with(nothing, 2, 32, {integer(cudaLaunchAttributePriority, 0)}));
  ASK(launch_with(nothing, 2, 32, {integer(cudaLaunchAttributePriority, -5)}));
  ASK(launch_with(nothing, 2, 32, {integer(cudaLaunchAttributePriority, -100)}));
  ASK(launch_with(nothing, 2, 32,
                  {integer(cudaLaunchAttributeProgrammaticStreamSerialization, 1)}));
  ASK(launch_with(nothing, 2, 32, {integer(cudaLaunchAttributeMemSyncDomain, 1)}));
  ASK(launch_with(nothing, 2, 32, {integer(cudaLaunchAttributeMemSyncDomain, 7)}));
  ASK(launch_with(nothing, 2, 32, {integer(cudaLaunchAttributeSynchronizationPolicy, 1)}));
  ASK(launch_with(nothing, 2, 32,
                  {integer(cudaLaunchAttributeClusterSchedulingPolicyPreference, 1)}));
  ASK(launch_with(nothing, 2, 32, {integer(cudaLaunchAttributePreferredSharedMemoryCarveout, 50)}));
  ASK(launch_with(nothing, 2, 32,
                  {integer(cudaLaunchAttributePreferredSharedMemoryCarveout, 200)}));
  ASK(launch_with(nothing, 2, 32, {integer(static_cast<cudaLaunchAttributeID>(99), 1)}));
  ASK(launch_with(nothing, 0, 32, {}));
  ASK(launch_with(nothing, 1, 2000, {}));
  ASK(launch_with(nothing, 1, 32, {}, 1 << 20));
  ASK(launch_with(fill, 1, 32, {}, 0, nullptr));
  about("clusters");
  ASK(launch_with(nothing, 4, 32, {cluster(2)}));
  ASK(launch_with(nothing, 4, 32, {cluster(1)}));
  ASK(launch_with(nothing, 4, 32, {cluster(0)}));
  ASK(launch_with(nothing, 4, 32, {cluster(3)}));
  ASK(launch_with(nothing, 8, 32, {cluster(8)}));
  ASK(launch_with(nothing, 16, 32, {cluster(16)}));
  ASK(launch_with(nothing, 32, 32, {cluster(32)}));
  ASK(launch_with(nothing, dim3(4, 4), 32, {cluster(2, 2)}));
  ASK(launch_with(nothing, dim3(4, 3), 32, {cluster(2, 2)}));
  ASK(launch_with(clustered, 4, 32, {}, 0, arguments));
  ASK(launch_with(clustered, 3, 32, {}, 0, arguments));
  ASK(launch_with(clustered, 4, 32, {cluster(2)}, 0, arguments));
  ASK(launch_with(clustered, 4, 32, {cluster(4)}, 0, arguments));
  ASK(cudaLaunchKernel(clustered, 4, 32, arguments, 0, nullptr));
  ASK(cudaLaunchKernel(clustered, 5, 32, arguments, 0, nullptr));
  int host[4] = {};
  ASK(cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost));
  SHOW(host[1]);
  SHOW(host[2]);
  ASK(cudaFuncSetAttribute(nothing, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  ASK(launch_with(nothing, 16, 32, {cluster(16)}));
  ASK(launch_with(nothing, 32, 32, {cluster(32)}));
  ASK(cudaFuncSetAttribute(nothing, cudaFuncAttributeNonPortableClusterSizeAllowed, 0));
  ASK(launch_with(nothing, 16, 32, {cluster(16)}));
  ASK(cudaFuncSetAttribute(nothing, cudaFuncAttributeNonPortableClusterSizeAllowed, 7));
  ASK(cudaFuncSetAttribute(nothing, cudaFuncAttributeClusterSchedulingPolicyPreference, 1));
  ASK(cudaFuncSetAttribute(nothing, cudaFuncAttributeClusterSchedulingPolicyPreference, 9));
  ASK(cudaFuncSetAttribute(nothing, cudaFuncAttributeRequiredClusterWidth, 2));
  ASK(cudaFuncSetAttribute(nothing, cudaFuncAttributeClusterDimMustBeSet, 1));
  about("occupancy of clusters");
  SHOW(active_clusters(fill, 132, 128, cluster(1)));
  SHOW(active_clusters(fill, 132, 128, cluster(2)));
  SHOW(active_clusters(fill, 132, 1024, cluster(2)));
  SHOW(active_clusters(fill, 132, 1024, cluster(4)));
  SHOW(active_clusters(fill, 128, 1024, cluster(8)));
  SHOW(active_clusters(fill, 160, 1024, cluster(16)));
  SHOW(active_clusters(fill, 132, 1024, cluster(3)));
  SHOW(active_clusters(fill, 100, 1024, cluster(8)));
  SHOW(active_clusters(fill, 132, 2048, cluster(2)));
  SHOW(active_clusters(fill, 132, 128, cluster(2), 40000));
  SHOW(active_clusters(fill, 132, 128, cluster(2), 60000));
  SHOW(largest_cluster(fill, 132, 128));
  SHOW(largest_cluster(fill, 132, 1024));
  SHOW(largest_cluster(fill, 132, 1024, 40000));
  SHOW(largest_cluster(fill, 132, 1024, 60000));
  SHOW(largest_cluster(fill, 132, 2048));
  SHOW(largest_cluster(clustered, 132, 32));
  cudaFuncSetAttribute(fill, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  SHOW(largest_cluster(fill, 132, 128));
  SHOW(active_clusters(fill, 160, 1024, cluster(16)));
  SHOW(active_clusters(fill, 160, 128, cluster(16)));
  int clusters = -1;
  ASK(cudaOccupancyMaxActiveClusters(&clusters, fill, nullptr));
  ASK(cudaOccupancyMaxActiveClusters(nullptr, fill, nullptr));
}

SUBJECT(launch_cooperative) {
  int* x = buffer();
  void* arguments[] = {&x};
  int host = 0;
  ASK(cudaLaunchCooperativeKernel(grid_sum, 4, 64, arguments, 0, nullptr));
  ASK(cudaMemcpy(&host, x, 4, cudaMemcpyDeviceToHost));
  SHOW(host);
  ASK(cudaLaunchCooperativeKernel(grid_sum, 132 * 2, 1024, arguments, 0, nullptr));
  ASK(cudaLaunchCooperativeKernel(grid_sum, 132 * 2 + 1, 1024, arguments, 0, nullptr));
  ASK(cudaLaunchCooperativeKernel(grid_sum, 132 * 32, 32, arguments, 0, nullptr));
  ASK(cudaLaunchCooperativeKernel(grid_sum, 132 * 32 + 1, 32, arguments, 0, nullptr));
  ASK(cudaLaunchCooperativeKernel(grid_sum, 132 * 4, 64, arguments, 48 << 10, nullptr));
  ASK(cudaLaunchCooperativeKernel(grid_sum, 132 * 4 + 1, 64, arguments, 48 << 10, nullptr));
  ASK(cudaLaunchCooperativeKernel(grid_sum, 0, 64, arguments, 0, nullptr));
  ASK(cudaLaunchCooperativeKernel(grid_sum, 1, 2048, arguments, 0, nullptr));
  ASK(cudaLaunchCooperativeKernel(nullptr, 1, 32, arguments, 0, nullptr));
  ASK(launch_with(grid_sum, 4, 64, {integer(cudaLaunchAttributeCooperative, 1)}, 0, arguments));
  ASK(launch_with(grid_sum, 10000, 64, {integer(cudaLaunchAttributeCooperative, 1)}, 0, arguments));
  ASK(launch_with(nothing, 10000, 64, {integer(cudaLaunchAttributeCooperative, 0)}));
  ASK(launch_with(nothing, 4, 64, {integer(cudaLaunchAttributeCooperative, 1), cluster(2)}));
  ASK(cudaDeviceSynchronize());
}

SUBJECT(functions) {
  cudaFuncAttributes found = {};
  ASK(cudaFuncGetAttributes(&found, bounded));
  SHOW(found.sharedSizeBytes);
  SHOW(found.constSizeBytes);
  SHOW(found.localSizeBytes);
  SHOW(found.maxThreadsPerBlock);
  SHOW(found.ptxVersion);
  SHOW(found.binaryVersion);
  SHOW(found.cacheModeCA);
  SHOW(found.maxDynamicSharedSizeBytes);
  SHOW(found.preferredShmemCarveout);
  SHOW(found.clusterDimMustBeSet);
  SHOW(found.requiredClusterWidth);
  SHOW(found.clusterSchedulingPolicyPreference);
  SHOW(found.nonPortableClusterSizeAllowed);
  ASK(cudaFuncGetAttributes(&found, clustered));
  SHOW(found.clusterDimMustBeSet);
  SHOW(found.requiredClusterWidth);
  SHOW(found.requiredClusterHeight);
  SHOW(found.requiredClusterDepth);
  SHOW(found.constSizeBytes);
  ASK(cudaFuncGetAttributes(&found, fill));
  SHOW(found.constSizeBytes);
  ASK(cudaFuncGetAttributes(nullptr, fill));
  ASK(cudaFuncGetAttributes(&found, nullptr));
  ASK(cudaFuncGetAttributes(&found, &found));
  const auto set = [](cudaFuncAttribute attribute, int value) {
    return cudaFuncSetAttribute(bounded, attribute, value);
  };
  ASK(set(cudaFuncAttributeMaxDynamicSharedMemorySize, 232448 - 256));
  ASK(set(cudaFuncAttributeMaxDynamicSharedMemorySize, 232448 - 255));
  ASK(set(cudaFuncAttributeMaxDynamicSharedMemorySize, -1));
  ASK(set(cudaFuncAttributePreferredSharedMemoryCarveout, 50));
  ASK(set(cudaFuncAttributePreferredSharedMemoryCarveout, -1));
  ASK(set(cudaFuncAttributePreferredSharedMemoryCarveout, 101));
  ASK(set(cudaFuncAttributePreferredSharedMemoryCarveout, -2));
  ASK(set(cudaFuncAttributeMax, 0));
  ASK(set(static_cast<cudaFuncAttribute>(0), 0));
  ASK(cudaFuncGetAttributes(&found, bounded));
  SHOW(found.maxDynamicSharedSizeBytes);
  ASK(cudaFuncSetCacheConfig(bounded, cudaFuncCachePreferShared));
  ASK(cudaFuncSetCacheConfig(nullptr, cudaFuncCachePreferShared));
  about("parameters");
  std::size_t offset = 0, bytes = 0;
  for (std::size_t i = 0; i < 5; ++i) {
    if (ASK(cudaFuncGetParamInfo(many, i, &offset, &bytes))) SHOW(offset), SHOW(bytes);
  }
  ASK(cudaFuncGetParamInfo(nullptr, 0, &offset, &bytes));
  ASK(cudaFuncGetParamInfo(many, 1, &offset, nullptr));
  ASK(cudaFuncGetParamInfo(many, 1, nullptr, &bytes));
  const char* name = nullptr;
  ASK(cudaFuncGetName(&name, nothing));
  SHOW(std::string(name == nullptr ? "" : name).find("nothing_kernel") != std::string::npos);
  ASK(cudaFuncGetName(nullptr, nothing));
  ASK(cudaFuncGetName(&name, nullptr));
  cudaKernel_t kernel = nullptr;
  cudaFunction_t function = nullptr;
  ASK(cudaGetKernel(&kernel, nothing));
  ASK(cudaGetKernel(nullptr, nothing));
  ASK(cudaGetKernel(&kernel, nullptr));
  ASK(cudaGetFuncBySymbol(&function, nothing));
  ASK(cudaGetFuncBySymbol(nullptr, nothing));
  ASK(cudaGetFuncBySymbol(&function, nullptr));
  ASK(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), 1, 32, nullptr, 0, nullptr));
  ASK(cudaKernelSetAttributeForDevice(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 1, 0));
  ASK(cudaKernelSetAttributeForDevice(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 1, 9));
  ASK(cudaKernelSetAttributeForDevice(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, -1, 0));
  ASK(cudaKernelSetAttributeForDevice(nullptr, cudaFuncAttributeMaxDynamicSharedMemorySize, 1, 0));
  about("occupancy");
  int blocks = -1;
  ASK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded, 64, 0));
  SHOW(blocks);
  ASK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded, 65, 0));
  SHOW(blocks);
  ASK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill, 1025, 0));
  SHOW(blocks);
  ASK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill, 256, 40000));
  SHOW(blocks);
  ASK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill, 256, 60000));
  SHOW(blocks);
  ASK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill, 256, 1 << 20));
  SHOW(blocks);
  ASK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill, 0, 0));
  ASK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill, -1, 0));
  ASK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, fill, 32, 0));
  ASK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nullptr, 32, 0));
  ASK(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, fill, 256, 0, 1));
  ASK(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, fill, 256, 0, 2));
  ASK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, fill, 4, 256));
  SHOW(bytes);
  ASK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, fill, 1, 256));
  SHOW(bytes);
  ASK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, bounded, 7, 64));
  SHOW(bytes);
  ASK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, fill, 9, 256));
  ASK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, fill, 0, 256));
}

SUBJECT(symbols) {
  int value = 3, back = 0;
  std::size_t bytes = 0;
  void* address = nullptr;
  ASK(cudaMemcpyToSymbol(table, &value, 4, 60, cudaMemcpyHostToDevice));
  ASK(cudaMemcpyFromSymbol(&back, table, 4, 60, cudaMemcpyDeviceToHost));
  SHOW(back);
  ASK(cudaMemcpyToSymbol(table, &value, 4, 61, cudaMemcpyHostToDevice));
  ASK(cudaMemcpyToSymbol(table, &value, 4, 0, cudaMemcpyDefault));
  ASK(cudaMemcpyToSymbol(table, &value, 4, 0, cudaMemcpyDeviceToHost));
  ASK(cudaMemcpyToSymbol(table, &value, 4, 0, cudaMemcpyHostToHost));
  ASK(cudaMemcpyToSymbol(table, &value, 0, 0, cudaMemcpyHostToDevice));
  ASK(cudaMemcpyToSymbol(table, &value, 4, 0, static_cast<cudaMemcpyKind>(9)));
  ASK(cudaMemcpyToSymbol(nullptr, &value, 4, 0, cudaMemcpyHostToDevice));
  ASK(cudaMemcpyToSymbol(&value, &value, 4, 0, cudaMemcpyHostToDevice));
  ASK(cudaMemcpyToSymbol(table, nullptr, 4, 0, cudaMemcpyHostToDevice));
  ASK(cudaMemcpyFromSymbol(&back, counter, 4, 0, cudaMemcpyDeviceToHost));
  SHOW(back);
  ASK(cudaMemcpyFromSymbol(&back, counter, 8, 0, cudaMemcpyDeviceToHost));
  ASK(cudaMemcpyFromSymbol(&back, counter, 4, 0, cudaMemcpyHostToDevice));
  ASK(cudaMemcpyFromSymbol(nullptr, counter, 4, 0, cudaMemcpyDeviceToHost));
  ASK(cudaMemcpyFromSymbolAsync(&back, counter, 4, 0, cudaMemcpyDeviceToHost, nullptr));
  ASK(cudaMemcpyToSymbolAsync(counter, &value, 4, 0, cudaMemcpyHostToDevice, nullptr));
  ASK(cudaGetSymbolSize(&bytes, table));
  SHOW(bytes);
  ASK(cudaGetSymbolSize(nullptr, table));
  ASK(cudaGetSymbolSize(&bytes, nullptr));
  ASK(cudaGetSymbolSize(&bytes, &value));
  ASK(cudaGetSymbolAddress(&address, table));
  ASK(cudaGetSymbolAddress(&address, counter));
  ASK(cudaGetSymbolAddress(nullptr, counter));
  ASK(cudaGetSymbolAddress(&address, &value));
  ASK(cudaGetSymbolAddress(&address, nullptr));
}
