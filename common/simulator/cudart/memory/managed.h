#pragma once
#include <cstdint>

namespace warpwise::cudart {

/// Managed memory is freed: its advice does not hold for a later allocation at the same place.
void forget_advice(std::uint64_t base, std::uint64_t bytes);

}  // namespace warpwise::cudart
