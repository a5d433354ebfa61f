#pragma once
#include <cuda_runtime_api.h>

#include <cstddef>
#include <optional>

#include "occupancy/gpu_table.h"

namespace warpwise::cudart {

/// What cudaDeviceSetCacheConfig has asked for.
cudaFuncCache device_cache_config();

/// Alignment of the memory of a texture and of the pitch of its rows, in bytes.
constexpr int texture_alignment = 512;
constexpr int texture_pitch_alignment = 32;

/// The properties that cudaGetDeviceProperties returns for a GPU of the table. The name ends in
/// "(simulated)"; the rest is the GPU's own.
/// @param place of the device on the machine.
cudaDeviceProp properties_of(const occupancy::Gpu& gpu, int place = 0);

/// One attribute, equal to the field of the properties where there is one.
/// @return nothing for a number that is not an attribute.
std::optional<int> attribute_of(const occupancy::Gpu& gpu, cudaDeviceAttr attribute, int place = 0);

/// What cudaDeviceSetLimit has set. The heap's size and the stack's bind the simulator.
/// @throws Failure for an unknown limit, and for one that the GPU does not have.
std::size_t device_limit(cudaLimit which);

/// To be called before a kernel that needs this much stack: raises the limit where it is lower, and
/// leaves it raised.
void make_stack_room(std::size_t bytes);

/// @throws Failure cudaErrorInvalidValue for an unknown width of banks.
void check_banks(cudaSharedMemConfig config);

}  // namespace warpwise::cudart
