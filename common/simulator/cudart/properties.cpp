#include "simulator/cudart/properties.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <string>

namespace warpwise::cudart {
namespace {

constexpr int largest_pitch = 0x7fffffff;
constexpr int constant_bytes = 65536;
constexpr int texture_alignment = 512;
constexpr int texture_pitch_alignment = 32;

// Bus widths are not in the table, and nothing but arithmetic with the memory clock uses them: a
// width and a clock are chosen whose product is the GPU's bandwidth.
constexpr int bus_bits = 4096;

int memory_khz(const occupancy::Gpu& gpu) {
  constexpr double transfers_per_clock = 2;
  const double bytes_per_clock = transfers_per_clock * bus_bits / 8;
  return static_cast<int>(std::lround(gpu.memory_gbps * 1e9 / bytes_per_clock / 1e3));
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
};

/// Attributes that are no field of the properties.
std::optional<int> attribute_alone(const occupancy::Gpu& gpu, cudaDeviceAttr attribute) {
  switch (attribute) {
    case cudaDevAttrClockRate:
      return gpu.boost_mhz * 1000;
    case cudaDevAttrMemoryClockRate:
      return memory_khz(gpu);
    case cudaDevAttrGpuOverlap:
      return 1;
    default:
      break;
  }
  // The rest is what the simulator does not have: textures, surfaces, capture, sharing.
  const bool known = attribute >= 1 && attribute < cudaDevAttrMax;
  return known ? std::optional<int>(0) : std::nullopt;
}

}  // namespace

cudaDeviceProp properties_of(const occupancy::Gpu& gpu) {
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
  p.pciBusID = 1;
  p.asyncEngineCount = 3;
  p.unifiedAddressing = 1;
  p.memoryBusWidth = bus_bits;
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
  p.hostNumaId = -1;
  return p;
}

std::optional<int> attribute_of(const occupancy::Gpu& gpu, cudaDeviceAttr attribute) {
  const auto* field = std::find_if(std::begin(fields), std::end(fields),
                                   [&](const Field& one) { return one.attribute == attribute; });
  if (field == std::end(fields)) return attribute_alone(gpu, attribute);
  return field->value(properties_of(gpu));
}

}  // namespace warpwise::cudart
