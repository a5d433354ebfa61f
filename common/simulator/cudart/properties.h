#pragma once
#include <cuda_runtime_api.h>

#include <atomic>
#include <cstddef>
#include <optional>

#include "occupancy/gpu_table.h"

namespace warpwise::cudart {

/// What cudaGetDeviceProperties says of a GPU of the table. The name ends in "(simulated)"; what
/// the simulator cannot do (textures, surfaces) is zero.
cudaDeviceProp properties_of(const occupancy::Gpu& gpu);

/// One attribute, equal to the field of the properties where there is one.
/// @return nothing for a number that is no attribute.
std::optional<int> attribute_of(const occupancy::Gpu& gpu, cudaDeviceAttr attribute);

/// What cudaDeviceSetLimit has set. Of the limits only the size of the heap binds the simulator.
/// @throws Failure cudaErrorUnsupportedLimit.
std::atomic<std::size_t>& device_limit(cudaLimit which);

}  // namespace warpwise::cudart
