#pragma once
#include <cstdint>

namespace warpwise::cudart {

/// Managed memory is freed: what was said of it does not hold for what lies there later.
void forget_advice(std::uint64_t base, std::uint64_t bytes);

}  // namespace warpwise::cudart
