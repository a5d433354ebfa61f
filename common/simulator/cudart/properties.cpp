#include "simulator/cudart/properties.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
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
  p.hostNumaId = -1;
  return p;
}

std::optional<int> attribute_of(const occupancy::Gpu& gpu, cudaDeviceAttr attribute) {
  const cudaDeviceProp p = properties_of(gpu);
  const auto number = [](std::size_t value) { return static_cast<int>(value); };
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
      return p.maxThreadsPerBlock;
    case cudaDevAttrMaxBlockDimX:
      return p.maxThreadsDim[0];
    case cudaDevAttrMaxBlockDimY:
      return p.maxThreadsDim[1];
    case cudaDevAttrMaxBlockDimZ:
      return p.maxThreadsDim[2];
    case cudaDevAttrMaxGridDimX:
      return p.maxGridSize[0];
    case cudaDevAttrMaxGridDimY:
      return p.maxGridSize[1];
    case cudaDevAttrMaxGridDimZ:
      return p.maxGridSize[2];
    case cudaDevAttrMaxSharedMemoryPerBlock:
      return number(p.sharedMemPerBlock);
    case cudaDevAttrTotalConstantMemory:
      return number(p.totalConstMem);
    case cudaDevAttrWarpSize:
      return p.warpSize;
    case cudaDevAttrMaxPitch:
      return number(p.memPitch);
    case cudaDevAttrMaxRegistersPerBlock:
      return p.regsPerBlock;
    case cudaDevAttrTextureAlignment:
      return number(p.textureAlignment);
    case cudaDevAttrTexturePitchAlignment:
      return number(p.texturePitchAlignment);
    case cudaDevAttrSurfaceAlignment:
      return number(p.surfaceAlignment);
    case cudaDevAttrMultiProcessorCount:
      return p.multiProcessorCount;
    case cudaDevAttrCanMapHostMemory:
      return p.canMapHostMemory;
    case cudaDevAttrConcurrentKernels:
      return p.concurrentKernels;
    case cudaDevAttrPciBusId:
      return p.pciBusID;
    case cudaDevAttrGlobalMemoryBusWidth:
      return p.memoryBusWidth;
    case cudaDevAttrL2CacheSize:
      return p.l2CacheSize;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      return p.maxThreadsPerMultiProcessor;
    case cudaDevAttrAsyncEngineCount:
      return p.asyncEngineCount;
    case cudaDevAttrUnifiedAddressing:
      return p.unifiedAddressing;
    case cudaDevAttrComputeCapabilityMajor:
      return p.major;
    case cudaDevAttrComputeCapabilityMinor:
      return p.minor;
    case cudaDevAttrStreamPrioritiesSupported:
      return p.streamPrioritiesSupported;
    case cudaDevAttrGlobalL1CacheSupported:
      return p.globalL1CacheSupported;
    case cudaDevAttrLocalL1CacheSupported:
      return p.localL1CacheSupported;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      return number(p.sharedMemPerMultiprocessor);
    case cudaDevAttrMaxRegistersPerMultiprocessor:
      return p.regsPerMultiprocessor;
    case cudaDevAttrManagedMemory:
      return p.managedMemory;
    case cudaDevAttrComputePreemptionSupported:
      return p.computePreemptionSupported;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      return number(p.sharedMemPerBlockOptin);
    case cudaDevAttrHostRegisterSupported:
      return p.hostRegisterSupported;
    case cudaDevAttrMaxBlocksPerMultiprocessor:
      return p.maxBlocksPerMultiProcessor;
    case cudaDevAttrReservedSharedMemoryPerBlock:
      return number(p.reservedSharedMemPerBlock);
    case cudaDevAttrMemoryPoolsSupported:
      return p.memoryPoolsSupported;
    case cudaDevAttrHostNumaId:
      return p.hostNumaId;
    default:
      return attribute_alone(gpu, attribute);
  }
}

}  // namespace warpwise::cudart
