#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "simulator/watch/cells/access_event.h"

namespace warpwise::watch {

/// Distinguishes lanes that look at memory again and again, as threads do that wait, from lanes
/// that read something else each time. It may say of a look that it is the first when it is not,
/// and rarely the other way round.
class RepeatedLooks {
 public:
  /// @param warp in the grid. @return true where the warp's instruction has lately looked at the
  /// same addresses, by the same lanes.
  bool is_again(std::uint64_t warp, const AccessEvent& event) {
    if (looks_.empty()) looks_.resize(most_looks);
    const std::uint64_t look = number(warp, event);
    std::uint64_t& last = looks_[look >> (64 - look_bits)];
    const bool is_again = last == look;
    last = look;
    return is_again;
  }

 private:
  /// So many warps can wait at once, each for something of its own.
  static constexpr unsigned look_bits = 14;
  static constexpr std::size_t most_looks = std::size_t{1} << look_bits;
  static constexpr std::uint64_t odd = 0x9e3779b97f4a7c15ull;

  static std::uint64_t number(std::uint64_t warp, const AccessEvent& event) {
    std::uint64_t sum = 0;
    for (unsigned lane = 0; lane < 32; ++lane) {
      const std::uint64_t takes_part = 0 - std::uint64_t{event.mask >> lane & 1};
      sum += (event.addresses[lane] & takes_part) * (odd + 2 * lane);
    }
    const std::uint64_t who = warp << 32 ^ event.site;
    return ((sum ^ sum >> 32) + event.mask + who * odd) * odd;
  }

  std::vector<std::uint64_t> looks_;  ///< their numbers
};

}  // namespace warpwise::watch
