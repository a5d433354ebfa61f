#pragma once
#include <cstdint>

namespace warpwise::cudart {

/// An allocation ends: its pool, if it came from one, counts it no longer.
void give_back_to_pool(std::uint64_t address);

/// True of an allocation that came from a pool.
bool is_of_pool(std::uint64_t address);

}  // namespace warpwise::cudart
