#pragma once
#include <cstdint>

#include "simulator/code/program.h"

namespace warpwise::machine {

/// True where no lane of the mask leaves [base, base + size).
inline bool all_inside(std::uint32_t mask, const std::uint64_t* addresses, unsigned bytes,
                       std::uint64_t base, std::uint64_t size) {
  if (size < bytes) return false;
  std::uint32_t outside = 0;
  for (unsigned lane = 0; lane < 32; ++lane)
    outside |= static_cast<std::uint32_t>(addresses[lane] - base > size - bytes) << lane;
  return (outside & mask) == 0;
}

/// "reads", "writes" or "updates", for messages.
inline const char* verb(const code::Access& access) {
  return access.is_atomic ? "updates" : access.is_store ? "writes" : "reads";
}

}  // namespace warpwise::machine
