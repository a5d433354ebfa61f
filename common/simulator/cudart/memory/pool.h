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

/// The host knows of work that is done: what that gave back to pools has no use any more.
void settle_pools();
/// The host has waited. Pools give back to the device what is above their thresholds.
/// @param all also pools that the awaited work gave nothing back to.
void trim_pools(bool all);

/// The current device begins anew: none of its pools holds any memory.
void reset_pools();

/// What pools hold of the current device beyond the allocations that came from them.
std::uint64_t bytes_kept_by_pools();

/// True of an allocation that came from a pool.
bool is_of_pool(std::uint64_t address);

}  // namespace warpwise::cudart
