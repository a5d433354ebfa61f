#include "simulator/cudart/launch/function.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "occupancy/occupancy.h"
#include "simulator/cudart/device/properties.h"
#include "simulator/cudart/launch/launch_checks.h"
#include "simulator/cudart/launch/registry.h"
#include "simulator/cudart/report/error.h"
#include "simulator/cudart/runtime.h"

// Queries about kernels: attributes, names, parameters, occupancy.
namespace warpwise::cudart {
namespace {

void set_attribute(const FoundKernel& found, cudaFuncAttribute attribute, int value) {
  const int most =
      runtime().gpu.shared_bytes_per_block_max - static_cast<int>(found.info.static_shared_bytes);
  switch (attribute) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize:
      if (value < 0 || value > most) {
        throw Failure{
            cudaErrorInvalidValue,
            fmt::format("{} bytes of dynamic shared memory; on this GPU the kernel may have "
                        "0 to {}",
                        value, most)};
      }
      found.kernel.max_dynamic_shared = value;
      return;
    case cudaFuncAttributePreferredSharedMemoryCarveout:
      if (value < -1 || value > 100)
        throw Failure{cudaErrorInvalidValue, "a carveout is -1 to 100"};
      found.kernel.preferred_carveout = value;
      return;
    case cudaFuncAttributeNonPortableClusterSizeAllowed:
      found.kernel.large_clusters = value != 0;
      return;
    case cudaFuncAttributeClusterSchedulingPolicyPreference:
      if (value < 0 || value > cudaClusterSchedulingPolicyLoadBalancing) {
        throw Failure{cudaErrorInvalidValue, "unknown scheduling policy"};
      }
      found.kernel.cluster_scheduling = value;
      return;
    case cudaFuncAttributeRequiredClusterWidth:
    case cudaFuncAttributeRequiredClusterHeight:
    case cudaFuncAttributeRequiredClusterDepth:
      if (value < 0) throw Failure{cudaErrorInvalidValue, "a cluster has 1 or more blocks"};
      found.kernel.required_cluster[attribute - cudaFuncAttributeRequiredClusterWidth] =
          static_cast<unsigned>(value);
      return;
    default:
      throw Failure{cudaErrorInvalidValue, fmt::format("function attribute {} cannot be set",
                                                       static_cast<int>(attribute))};
  }
}

bool can_be_set(cudaFuncAttribute attribute) {
  return attribute >= cudaFuncAttributeMaxDynamicSharedMemorySize &&
         attribute < cudaFuncAttributeMax;
}

/// Bytes that a block takes of its SM's shared memory.
std::int64_t block_shared(const FoundKernel& found, std::size_t dynamic_bytes) {
  const occupancy::Gpu& gpu = runtime().gpu;
  const std::int64_t bytes = found.info.static_shared_bytes +
                             static_cast<std::int64_t>(dynamic_bytes) +
                             gpu.shared_reserved_per_block;
  return (bytes + gpu.shared_unit - 1) / gpu.shared_unit * gpu.shared_unit;
}

/// In percent, -1 for none. A carveout takes precedence over a cache configuration, a kernel's over
/// the device's.
int preferred_carveout(const Kernel& kernel) {
  if (kernel.preferred_carveout >= 0) return kernel.preferred_carveout;
  const bool is_own = kernel.cache_config != cudaFuncCachePreferNone;
  switch (is_own ? kernel.cache_config : device_cache_config()) {
    case cudaFuncCachePreferL1:
      return 0;
    case cudaFuncCachePreferEqual:
      return 50;
    default:
      return -1;
  }
}

/// The GPU with the shared memory per SM that the kernel's preferred carveout gives, and at least
/// enough for a block. The hardware has steps; a preference of -1 is the largest.
occupancy::Gpu carved(const FoundKernel& found, std::int64_t block_bytes) {
  occupancy::Gpu gpu = runtime().gpu;
  const int carveout = preferred_carveout(found.kernel);
  if (carveout < 0) return gpu;
  const std::int64_t whole = gpu.shared_bytes_per_sm;
  const std::int64_t wanted = std::max(whole * carveout / 100, block_bytes);
  for (const std::int64_t kibibytes : {0, 8, 16, 32, 64, 100, 132, 164, 196}) {
    const std::int64_t step = kibibytes * 1024;
    if (step < wanted || step >= whole || (gpu.compute_capability == 75 && kibibytes < 32))
      continue;
    gpu.shared_bytes_per_sm = static_cast<int>(step);
    break;
  }
  return gpu;
}

/// The most dynamic shared memory with which `blocks` blocks still fit on one SM.
std::size_t dynamic_shared_for(const FoundKernel& found, int blocks, int threads) {
  // A block alone gets what it asks for, whatever the preference.
  const occupancy::Gpu gpu = blocks == 1 ? runtime().gpu : carved(found, block_shared(found, 0));
  if (blocks <= 0 || resident_blocks(found, threads, 0) < blocks) {
    throw Failure{cudaErrorInvalidValue,
                  fmt::format("{} blocks of {} threads do not fit on an SM", blocks, threads)};
  }
  // The runtime leaves out the bytes that it reserves for each block.
  const int share = gpu.shared_bytes_per_sm / blocks / gpu.shared_unit * gpu.shared_unit;
  const int room = share - static_cast<int>(found.info.static_shared_bytes);
  return static_cast<std::size_t>(
      std::clamp(room, 0, most_dynamic_shared(found.kernel, found.info)));
}

/// The SMs that one cluster's blocks can be spread over, group by group. On an H200 these are its
/// GPCs, as its answers show them: 7 whole ones, and one that has a part and four pairs left.
std::vector<int> cluster_groups(const occupancy::Gpu& gpu) {
  if (gpu.sms == 132) return {18, 18, 16, 16, 16, 16, 16, 8, 2, 2, 2, 2};
  constexpr int sms_per_gpc = 16;
  std::vector<int> groups(static_cast<std::size_t>(gpu.sms / sms_per_gpc), sms_per_gpc);
  groups.push_back(gpu.sms % sms_per_gpc);
  return groups;
}

/// Blocks of a launch with clusters that one SM holds. Without shared memory the driver leaves it
/// so little that the bytes reserved for each block allow eight.
int clustered_blocks_per_sm(const FoundKernel& found, int threads, std::size_t dynamic_bytes) {
  constexpr int without_shared = 8;
  const int most = resident_blocks(found, threads, dynamic_bytes);
  const bool shared = found.info.static_shared_bytes + dynamic_bytes > 0;
  return shared ? most : std::min(most, without_shared);
}

/// The kernel of an occupancy query.
FoundKernel asked_kernel(const void* function) {
  given(function, cudaErrorInvalidDeviceFunction);
  need_device();
  return find_kernel(function);
}

LaunchAttributes attributes_of(const cudaLaunchConfig_t& config) {
  LaunchAttributes attributes;
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    attributes[config.attrs[i].id] = config.attrs[i].val;
  }
  return attributes;
}

/// Clusters of the configuration that the GPU holds at the same time.
int active_clusters(const FoundKernel& found, const cudaLaunchConfig_t& config) {
  const dim3 cluster = cluster_of(found, attributes_of(config)), &grid = config.gridDim;
  if (grid.x % cluster.x != 0 || grid.y % cluster.y != 0 || grid.z % cluster.z != 0) {
    throw Failure{cudaErrorInvalidClusterSize, "the grid is not a whole number of clusters"};
  }
  const int threads = static_cast<int>(config.blockDim.x * config.blockDim.y * config.blockDim.z);
  const int size = static_cast<int>(cluster.x * cluster.y * cluster.z);
  const int per_sm = clustered_blocks_per_sm(found, threads, config.dynamicSmemBytes);
  int clusters = 0;
  for (const int sms : cluster_groups(runtime().gpu)) {
    if (size <= sms) clusters += sms * per_sm / size;
  }
  return clusters;
}

}  // namespace

cudaFuncAttributes function_attributes(const FoundKernel& found) {
  const machine::KernelInfo& info = found.info;
  cudaFuncAttributes result = {};
  result.sharedSizeBytes = info.static_shared_bytes;
  result.constSizeBytes = info.constant_bytes;
  result.localSizeBytes = info.local_bytes;
  result.maxThreadsPerBlock = most_threads_per_block(info);
  result.numRegs = static_cast<int>(info.registers);
  result.ptxVersion = static_cast<int>(info.ptx_architecture);
  // PTX alone is compiled for the device.
  result.binaryVersion = info.registers_of != 0 ? static_cast<int>(info.registers_of)
                                                : runtime().gpu.compute_capability;
  result.maxDynamicSharedSizeBytes = most_dynamic_shared(found.kernel, info);
  result.preferredShmemCarveout = found.kernel.preferred_carveout;
  const watch::Index3& cluster = required_cluster(found);
  result.clusterDimMustBeSet = info.required_cluster[0] != 0 && !info.grid_counts_clusters;
  result.requiredClusterWidth = static_cast<int>(cluster[0]);
  result.requiredClusterHeight = static_cast<int>(cluster[1]);
  result.requiredClusterDepth = static_cast<int>(cluster[2]);
  result.clusterSchedulingPolicyPreference = found.kernel.cluster_scheduling;
  result.nonPortableClusterSizeAllowed = found.kernel.large_clusters;
  return result;
}

int resident_blocks(const FoundKernel& found, int threads, std::size_t dynamic_bytes) {
  if (threads <= 0) throw Failure{cudaErrorInvalidValue, "a block needs threads"};
  const bool bytes_fit =
      dynamic_bytes <= static_cast<std::size_t>(most_dynamic_shared(found.kernel, found.info));
  if (threads > runtime().gpu.threads_per_block || !bytes_fit) return 0;
  return occupancy::occupancy(carved(found, block_shared(found, dynamic_bytes)),
                              {.registers_per_thread = static_cast<int>(found.info.registers),
                               .static_shared_bytes = found.info.static_shared_bytes,
                               .dynamic_shared_bytes = static_cast<std::int64_t>(dynamic_bytes),
                               .threads_per_block = threads})
      .resident_blocks;
}

}  // namespace warpwise::cudart

using namespace warpwise::cudart;

extern "C" {

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  return call_without_device("cudaFuncGetAttributes", [&] {
    given(attributes);
    const FoundKernel found = find_kernel(function);
    need_device();
    *attributes = function_attributes(found);
  });
}

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  return call_without_device("cudaFuncSetAttribute", [&] {
    if (!can_be_set(attribute)) throw Failure{cudaErrorInvalidValue, "unknown attribute"};
    const FoundKernel found = find_kernel(function);
    need_device();
    set_attribute(found, attribute, value);
    forget_error();  // Of all calls that were tried on an H200, only this one does it.
  });
}

cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, cudaFuncAttribute attribute,
                                            int value, int device) {
  return call_without_device("cudaKernelSetAttributeForDevice", [&] {
    if (!can_be_set(attribute)) throw Failure{cudaErrorInvalidValue, "unknown attribute"};
    if (device < 0 || device >= device_count()) throw Failure{cudaErrorInvalidDevice, ""};
    given(kernel, cudaErrorInvalidResourceHandle);
    need_device();
    set_attribute(find_kernel(kernel), attribute, value);
  });
}

cudaError_t cudaFuncSetSharedMemConfig(const void* function, cudaSharedMemConfig config) {
  return call_after_fault("cudaFuncSetSharedMemConfig", [&] {
    find_kernel(function);
    need_device();
    check_banks(config);
  });
}

cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache config) {
  return call_after_fault("cudaFuncSetCacheConfig", [&] {
    const FoundKernel found = find_kernel(function);
    need_device();
    if (config < cudaFuncCachePreferNone || config > cudaFuncCachePreferEqual) {
      throw Failure{cudaErrorInvalidValue, "unknown preference"};
    }
    found.kernel.cache_config = config;
  });
}

cudaError_t cudaFuncGetName(const char** name, const void* function) {
  return call_without_device("cudaFuncGetName", [&] {
    given(name);
    *name = find_kernel(function).kernel.name.c_str();
  });
}

cudaError_t cudaFuncGetParamInfo(const void* function, size_t index, size_t* offset,
                                 size_t* bytes) {
  return call_after_fault("cudaFuncGetParamInfo", [&] {
    given(function, cudaErrorInvalidDeviceFunction);
    given(offset);
    need_device();
    const auto& parameters = find_kernel(function).info.parameters;
    if (index >= parameters.size()) {
      // A loop over the parameters ends with this code; it needs no explanation.
      throw Failure{cudaErrorInvalidValue, ""};
    }
    *offset = parameters[index].offset;
    if (bytes != nullptr) *bytes = parameters[index].bytes;
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function,
                                                          int threads, size_t dynamic_bytes) {
  return call_after_fault("cudaOccupancyMaxActiveBlocksPerMultiprocessor", [&] {
    store(blocks, resident_blocks(asked_kernel(function), threads, dynamic_bytes));
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, const void* function, int threads, size_t dynamic_bytes, unsigned flags) {
  return call_after_fault("cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", [&] {
    const FoundKernel found = asked_kernel(function);
    if (flags > cudaOccupancyDisableCachingOverride) {
      throw Failure{cudaErrorInvalidValue, "unknown flags"};
    }
    store(blocks, resident_blocks(found, threads, dynamic_bytes));
  });
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* dynamic_bytes, const void* function,
                                                      int blocks, int threads) {
  return call_after_fault("cudaOccupancyAvailableDynamicSMemPerBlock", [&] {
    given(function, cudaErrorInvalidDeviceFunction);
    need_device();
    if (blocks <= 0 || threads <= 0)
      throw Failure{cudaErrorInvalidValue, "an SM holds some blocks, a block some threads"};
    store(dynamic_bytes, dynamic_shared_for(find_kernel(function), blocks, threads));
  });
}

cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* function,
                                           const cudaLaunchConfig_t* config) {
  return call_without_device("cudaOccupancyMaxActiveClusters", [&] {
    given(config), given(clusters);
    *clusters = active_clusters(asked_kernel(function), *config);
  });
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int* blocks, const void* function,
                                                 const cudaLaunchConfig_t* config) {
  return call_without_device("cudaOccupancyMaxPotentialClusterSize", [&] {
    constexpr int portable = 8, largest = 16;
    given(config), given(blocks);
    const FoundKernel found = asked_kernel(function);
    cluster_of(found, attributes_of(*config));
    const int threads =
        static_cast<int>(config->blockDim.x * config->blockDim.y * config->blockDim.z);
    const bool fits = resident_blocks(found, threads, config->dynamicSmemBytes) > 0;
    *blocks = !fits ? 0 : found.kernel.large_clusters ? largest : portable;
  });
}
}
