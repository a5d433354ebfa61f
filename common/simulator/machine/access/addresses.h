#pragma once
#include <cstdint>

#include "simulator/code/program.h"
#include "simulator/machine/warp/lanes.h"

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

/// Between which addresses lanes access memory.
struct Extent {
  std::uint64_t lowest, highest;
  std::uint64_t bits;  ///< that any of the addresses has

  static Extent of(std::uint64_t address) { return {address, address, address}; }
  /// True where none leaves [base, base + size), which reaches no further than half of all
  /// addresses.
  bool is_inside(unsigned bytes, std::uint64_t base, std::uint64_t size) const {
    return size >= bytes && lowest - base <= size - bytes && highest - base <= size - bytes;
  }
};

/// Calls visit(name) with what is above an address for each block of the cluster that a bit names.
template <class Visit>
void for_named_blocks(std::uint64_t ranks, Visit visit) {
  for_lanes(static_cast<std::uint32_t>(ranks),
            [&](unsigned rank) { visit(std::uint64_t{rank + 1} << code::shared_rank_shift); });
}

/// The same place in the shared memory of such a block.
inline std::uint64_t in_block(std::uint64_t name, std::uint64_t address) {
  constexpr std::uint64_t offset = (1ull << code::shared_rank_shift) - 1;
  return name | (address & offset);
}

/// "reads", "writes" or "updates", for messages.
inline const char* verb(const code::Access& access) {
  return access.is_atomic ? "updates" : access.is_store ? "writes" : "reads";
}

}  // namespace warpwise::machine
