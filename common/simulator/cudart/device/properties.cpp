#include "simulator/cudart/device/properties.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <string>

#include "simulator/cudart/device/image_limits.h"

namespace warpwise::cudart {
namespace {

constexpr int largest_pitch = 0x7fffffff;
constexpr int constant_bytes = 65536;

/// Bits of the memory bus and its clock, which programs multiply. Except for the H200, where they
/// are recorded, they are not in the table: a width and a clock are chosen whose product is the
/// GPU's bandwidth.
struct Bus {
  int bits, khz;
};
Bus bus_of(const occupancy::Gpu& gpu) {
  if (gpu.id == "h200") return {6016, 3201000};
  constexpr int bits = 4096;
  constexpr double transfers_per_clock = 2;
  const double bytes_per_clock = transfers_per_clock * bits / 8;
  return {bits, static_cast<int>(std::lround(gpu.memory_gbps * 1e9 / bytes_per_clock / 1e3))};
}

/// float operations a clock for each one of double.
int double_ratio(const occupancy::Gpu& gpu) {
  switch (gpu.compute_capability) {
    case 70:
    case 80:
    case 90:
    case 100:
      return 2;
    case 75:
      return 32;
    default:
      return 64;
  }
}

/// Attributes that equal a field of the properties.
struct Field {
  cudaDeviceAttr attribute;
  int (*value)(const cudaDeviceProp&);
};
constexpr Field fields[] = {
    {cudaDevAttrMaxThreadsPerBlock, [](const cudaDeviceProp& p) { return p.maxThreadsPerBlock; }},
    {cudaDevAttrMaxBlockDimX, [](const cudaDeviceProp& p) { return p.maxThreadsDim[0]; }},
    {cudaDevAttrMaxBlockDimY, [](const cudaDeviceProp& p) { return p.maxThreadsDim[1]; }},
    {cudaDevAttrMaxBlockDimZ, [](const cudaDeviceProp& p) { return p.maxThreadsDim[2]; }},
    {cudaDevAttrMaxGridDimX, [](const cudaDeviceProp& p) { return p.maxGridSize[0]; }},
    {cudaDevAttrMaxGridDimY, [](const cudaDeviceProp& p) { return p.maxGridSize[1]; }},
    {cudaDevAttrMaxGridDimZ, [](const cudaDeviceProp& p) { return p.maxGridSize[2]; }},
    {cudaDevAttrMaxSharedMemoryPerBlock,
     [](const cudaDeviceProp& p) { return static_cast<int>(p.sharedMemPerBlock); }},
    {cudaDevAttrTotalConstantMemory,
     [](const cudaDeviceProp& p) { return static_cast<int>(p.totalConstMem); }},
    {cudaDevAttrWarpSize, [](const cudaDeviceProp& p) { return p.warpSize; }},
    {cudaDevAttrMaxPitch, [](const cudaDeviceProp& p) { return static_cast<int>(p.memPitch); }},
    {cudaDevAttrMaxRegistersPerBlock, [](const cudaDeviceProp& p) { return p.regsPerBlock; }},
    {cudaDevAttrTextureAlignment,
     [](const cudaDeviceProp& p) { return static_cast<int>(p.textureAlignment); }},
    {cudaDevAttrTexturePitchAlignment,
     [](const cudaDeviceProp& p) { return static_cast<int>(p.texturePitchAlignment); }},
    {cudaDevAttrSurfaceAlignment,
     [](const cudaDeviceProp& p) { return static_cast<int>(p.surfaceAlignment); }},
    {cudaDevAttrMultiProcessorCount, [](const cudaDeviceProp& p) { return p.multiProcessorCount; }},
    {cudaDevAttrCanMapHostMemory, [](const cudaDeviceProp& p) { return p.canMapHostMemory; }},
    {cudaDevAttrConcurrentKernels, [](const cudaDeviceProp& p) { return p.concurrentKernels; }},
    {cudaDevAttrPciBusId, [](const cudaDeviceProp& p) { return p.pciBusID; }},
    {cudaDevAttrGlobalMemoryBusWidth, [](const cudaDeviceProp& p) { return p.memoryBusWidth; }},
    {cudaDevAttrL2CacheSize, [](const cudaDeviceProp& p) { return p.l2CacheSize; }},
    {cudaDevAttrMaxThreadsPerMultiProcessor,
     [](const cudaDeviceProp& p) { return p.maxThreadsPerMultiProcessor; }},
    {cudaDevAttrAsyncEngineCount, [](const cudaDeviceProp& p) { return p.asyncEngineCount; }},
    {cudaDevAttrUnifiedAddressing, [](const cudaDeviceProp& p) { return p.unifiedAddressing; }},
    {cudaDevAttrComputeCapabilityMajor, [](const cudaDeviceProp& p) { return p.major; }},
    {cudaDevAttrComputeCapabilityMinor, [](const cudaDeviceProp& p) { return p.minor; }},
    {cudaDevAttrStreamPrioritiesSupported,
     [](const cudaDeviceProp& p) { return p.streamPrioritiesSupported; }},
    {cudaDevAttrGlobalL1CacheSupported,
     [](const cudaDeviceProp& p) { return p.globalL1CacheSupported; }},
    {cudaDevAttrLocalL1CacheSupported,
     [](const cudaDeviceProp& p) { return p.localL1CacheSupported; }},
    {cudaDevAttrMaxSharedMemoryPerMultiprocessor,
     [](const cudaDeviceProp& p) { return static_cast<int>(p.sharedMemPerMultiprocessor); }},
    {cudaDevAttrMaxRegistersPerMultiprocessor,
     [](const cudaDeviceProp& p) { return p.regsPerMultiprocessor; }},
    {cudaDevAttrManagedMemory, [](const cudaDeviceProp& p) { return p.managedMemory; }},
    {cudaDevAttrComputePreemptionSupported,
     [](const cudaDeviceProp& p) { return p.computePreemptionSupported; }},
    {cudaDevAttrMaxSharedMemoryPerBlockOptin,
     [](const cudaDeviceProp& p) { return static_cast<int>(p.sharedMemPerBlockOptin); }},
    {cudaDevAttrHostRegisterSupported,
     [](const cudaDeviceProp& p) { return p.hostRegisterSupported; }},
    {cudaDevAttrMaxBlocksPerMultiprocessor,
     [](const cudaDeviceProp& p) { return p.maxBlocksPerMultiProcessor; }},
    {cudaDevAttrReservedSharedMemoryPerBlock,
     [](const cudaDeviceProp& p) { return static_cast<int>(p.reservedSharedMemPerBlock); }},
    {cudaDevAttrMemoryPoolsSupported,
     [](const cudaDeviceProp& p) { return p.memoryPoolsSupported; }},
    {cudaDevAttrCooperativeLaunch, [](const cudaDeviceProp& p) { return p.cooperativeLaunch; }},
    {cudaDevAttrClusterLaunch, [](const cudaDeviceProp& p) { return p.clusterLaunch; }},
    {cudaDevAttrHostNumaId, [](const cudaDeviceProp& p) { return p.hostNumaId; }},
    {cudaDevAttrEccEnabled, [](const cudaDeviceProp& p) { return p.ECCEnabled; }},
    {cudaDevAttrMaxPersistingL2CacheSize,
     [](const cudaDeviceProp& p) { return p.persistingL2CacheMaxSize; }},
    {cudaDevAttrConcurrentManagedAccess,
     [](const cudaDeviceProp& p) { return p.concurrentManagedAccess; }},
    {cudaDevAttrCanUseHostPointerForRegisteredMem,
     [](const cudaDeviceProp& p) { return p.canUseHostPointerForRegisteredMem; }},
    {cudaDevAttrMaxAccessPolicyWindowSize,
     [](const cudaDeviceProp& p) { return p.accessPolicyMaxWindowSize; }},
    {cudaDevAttrSparseCudaArraySupported,
     [](const cudaDeviceProp& p) { return p.sparseCudaArraySupported; }},
    {cudaDevAttrHostRegisterReadOnlySupported,
     [](const cudaDeviceProp& p) { return p.hostRegisterReadOnlySupported; }},
    {cudaDevAttrTimelineSemaphoreInteropSupported,
     [](const cudaDeviceProp& p) { return p.timelineSemaphoreInteropSupported; }},
    {cudaDevAttrGPUDirectRDMASupported,
     [](const cudaDeviceProp& p) { return p.gpuDirectRDMASupported; }},
    {cudaDevAttrGPUDirectRDMAFlushWritesOptions,
     [](const cudaDeviceProp& p) { return static_cast<int>(p.gpuDirectRDMAFlushWritesOptions); }},
    {cudaDevAttrGPUDirectRDMAWritesOrdering,
     [](const cudaDeviceProp& p) { return p.gpuDirectRDMAWritesOrdering; }},
    {cudaDevAttrMemoryPoolSupportedHandleTypes,
     [](const cudaDeviceProp& p) { return static_cast<int>(p.memoryPoolSupportedHandleTypes); }},
    {cudaDevAttrDeferredMappingCudaArraySupported,
     [](const cudaDeviceProp& p) { return p.deferredMappingCudaArraySupported; }},
    {cudaDevAttrIpcEventSupport, [](const cudaDeviceProp& p) { return p.ipcEventSupported; }},
    {cudaDevAttrNumaId, [](const cudaDeviceProp& p) { return p.deviceNumaId; }},
};

/// Attributes that are not a field of the properties.
std::optional<int> attribute_alone(const occupancy::Gpu& gpu, cudaDeviceAttr attribute) {
  switch (attribute) {
    case cudaDevAttrClockRate:
      return gpu.boost_mhz * 1000;
    case cudaDevAttrMemoryClockRate:
      return bus_of(gpu).khz;
    case cudaDevAttrSingleToDoublePrecisionPerfRatio:
      return double_ratio(gpu);
    case cudaDevAttrMemSyncDomainCount:
      return gpu.compute_capability >= 90 ? 4 : 1;
    case cudaDevAttrMaxTexture1DLinearWidth:
      return 1 << 28;
    case cudaDevAttrGpuOverlap:
    case cudaDevAttrHostNumaMemoryPoolsSupported:
    case cudaDevAttrHostMemoryPoolsSupported:
      return 1;
    default:
      break;
  }
  for (const ImageLimit& limit : image_limits)
    if (limit.attribute == attribute) return limit.value;
  // Numbers without a public meaning that an H200 answers with 1.
  for (const int number : {44, 96, 102, 103, 107, 110, 122, 123, 124, 127, 128, 129, 141, 145})
    if (number == attribute) return 1;
  const bool known = attribute >= 1 && attribute < cudaDevAttrMax;
  return known ? std::optional<int>(0) : std::nullopt;
}

}  // namespace

cudaDeviceProp properties_of(const occupancy::Gpu& gpu, int place) {
  cudaDeviceProp p = {};
  const std::string name = fmt::format("{} (simulated)", gpu.driver_name);
  std::snprintf(p.name, sizeof p.name, "%s", name.c_str());
  p.totalGlobalMem = static_cast<std::size_t>(gpu.memory_bytes);
  p.sharedMemPerBlock = static_cast<std::size_t>(gpu.shared_bytes_per_block);
  p.regsPerBlock = gpu.registers_per_block;
  p.warpSize = occupancy::warp_size;
  p.memPitch = largest_pitch;
  p.maxThreadsPerBlock = gpu.threads_per_block;
  p.maxThreadsDim[0] = p.maxThreadsDim[1] = gpu.threads_per_block;
  p.maxThreadsDim[2] = 64;
  p.maxGridSize[0] = 0x7fffffff;
  p.maxGridSize[1] = p.maxGridSize[2] = 65535;
  p.totalConstMem = constant_bytes;
  p.major = gpu.compute_capability / 10;
  p.minor = gpu.compute_capability % 10;
  p.textureAlignment = texture_alignment;
  p.texturePitchAlignment = texture_pitch_alignment;
  p.multiProcessorCount = gpu.sms;
  p.canMapHostMemory = 1;
  p.surfaceAlignment = texture_alignment;
  p.concurrentKernels = 1;
  p.pciBusID = 1 + place;
  p.asyncEngineCount = 3;
  p.unifiedAddressing = 1;
  p.memoryBusWidth = bus_of(gpu).bits;
  p.l2CacheSize = static_cast<int>(gpu.l2_bytes);
  p.maxThreadsPerMultiProcessor = gpu.threads_per_sm;
  p.streamPrioritiesSupported = 1;
  p.globalL1CacheSupported = p.localL1CacheSupported = 1;
  p.sharedMemPerMultiprocessor = static_cast<std::size_t>(gpu.shared_bytes_per_sm);
  p.regsPerMultiprocessor = gpu.registers_per_sm;
  p.managedMemory = 1;
  p.computePreemptionSupported = 1;
  p.sharedMemPerBlockOptin = static_cast<std::size_t>(gpu.shared_bytes_per_block_max);
  p.maxBlocksPerMultiProcessor = gpu.blocks_per_sm;
  p.reservedSharedMemPerBlock = static_cast<std::size_t>(gpu.shared_reserved_per_block);
  p.hostRegisterSupported = 1;
  p.memoryPoolsSupported = 1;
  p.unifiedFunctionPointers = 1;
  p.cooperativeLaunch = 1;
  p.clusterLaunch = gpu.compute_capability >= 90;
  p.hostNumaId = p.deviceNumaId = -1;
  p.ECCEnabled = !gpu.id.starts_with("rtx");
  p.persistingL2CacheMaxSize = gpu.compute_capability >= 80 ? p.l2CacheSize / 8 * 5 : 0;
  p.accessPolicyMaxWindowSize = gpu.compute_capability >= 80 ? 128 << 20 : 0;
  p.concurrentManagedAccess = 1;
  p.canUseHostPointerForRegisteredMem = 1;
  p.sparseCudaArraySupported = p.deferredMappingCudaArraySupported = 1;
  p.hostRegisterReadOnlySupported = p.timelineSemaphoreInteropSupported = p.ipcEventSupported = 1;
  p.gpuDirectRDMASupported = 1;
  p.gpuDirectRDMAFlushWritesOptions = 1;
  p.gpuDirectRDMAWritesOrdering = 100;
  p.memoryPoolSupportedHandleTypes = 9;
  const std::string identity = "simulated " + std::string(gpu.id);
  identity.copy(p.uuid.bytes, sizeof p.uuid.bytes);
  p.uuid.bytes[sizeof p.uuid.bytes - 1] =
      static_cast<char>(p.uuid.bytes[sizeof p.uuid.bytes - 1] + place);
  for (const ImageLimit& limit : image_limits) *limit.field(p) = limit.value;
  return p;
}

std::optional<int> attribute_of(const occupancy::Gpu& gpu, cudaDeviceAttr attribute, int place) {
  const auto* field = std::find_if(std::begin(fields), std::end(fields),
                                   [&](const Field& one) { return one.attribute == attribute; });
  if (field == std::end(fields)) return attribute_alone(gpu, attribute);
  return field->value(properties_of(gpu, place));
}

}  // namespace warpwise::cudart
