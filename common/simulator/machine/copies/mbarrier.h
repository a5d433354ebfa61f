#pragma once
#include <cstdint>

namespace warpwise::machine {

/// The 64 bits of an mbarrier object in shared memory, which are also the token that an arrival
/// gives. Its layout in hardware is not documented; this one is ours.
struct MBarrier {
  /// Limits of PTX: arrivals, and bytes still to come in either direction.
  static constexpr std::uint32_t most_arrivals = (1u << 20) - 1;
  static constexpr std::int32_t most_bytes = (1 << 20) - 1;

  std::uint32_t pending = 0;   ///< arrivals that the phase still needs
  std::uint32_t expected = 0;  ///< that the next one needs
  std::int32_t bytes = 0;      ///< that copies still have to bring in this phase
  bool phase = false;          ///< its parity

  static MBarrier from(std::uint64_t word) {
    MBarrier barrier;
    barrier.pending = word & most_arrivals;
    barrier.expected = word >> 20 & most_arrivals;
    barrier.bytes = static_cast<std::int32_t>(static_cast<std::int64_t>(word << 2) >> 42);
    barrier.phase = word >> 62 & 1;
    return barrier;
  }
  std::uint64_t word() const {
    return pending | std::uint64_t{expected} << 20 |
           (static_cast<std::uint64_t>(bytes) & 0x3fffff) << 40 | std::uint64_t{phase} << 62;
  }
  /// The next phase begins where nothing is missing any more.
  void complete() {
    if (pending || bytes) return;
    pending = expected;
    phase = !phase;
  }
};

}  // namespace warpwise::machine
