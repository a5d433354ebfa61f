#pragma once
#include <cstdint>

#include "simulator/cudart/queue/queue.h"

namespace warpwise::cudart {

/// An allocation that came from a pool is freed at once.
void give_back_to_pool(std::uint64_t address);
/// An allocation that came from a pool is freed by an operation of a stream, which calls
/// free_pool_memory() with its device and bytes.
void give_back_to_pool(std::uint64_t address, OperationPtr end, StreamPtr stream);
void free_pool_memory(int device, std::uint64_t bytes);

/// The host has learnt of finished work: memory that this work gave back to pools is now unused.
void settle_pools();
/// The host has waited. Pools give back to the device what is above their thresholds.
/// @param all also pools that the awaited work gave nothing back to.
void trim_pools(bool all);

/// The current device begins anew: none of its pools holds any memory.
void reset_pools();

/// Bytes of the current device that pools hold in addition to the allocations that came from them.
std::uint64_t bytes_kept_by_pools();

/// True for an allocation that came from a pool.
bool is_of_pool(std::uint64_t address);

}  // namespace warpwise::cudart
