#pragma once
#include <bit>
#include <cstdint>

namespace warpwise::watch {

/// What an instruction's last addresses cost. The next ones mostly lie as they did, only elsewhere,
/// and what they cost depends on where their first lies in its sector alone.
class SeenPattern {
 public:
  SeenPattern() {}  // leaves what is not looked at as it is: there is one for each instruction
  /// @param addresses of 32 lanes; those outside the mask are not read.
  /// @param is_shared tells accesses apart that cost otherwise.
  /// @param cost of them, 1 to 65535. It does not change where all move by a multiple of a sector.
  template <class Cost>
  unsigned cost(const std::uint64_t* addresses, std::uint32_t mask, bool is_shared, Cost cost) {
    if (misses_ == most_misses) return cost();
    const std::uint64_t first = addresses[std::countr_zero(mask)];
    if (is_shared != is_shared_ || !is_seen(addresses, mask, first)) {
      ++misses_;
      is_shared_ = is_shared;
      remember(addresses, mask, first);
    } else {
      misses_ = 0;
    }
    std::uint16_t& known = costs_[first % phases];
    if (known == 0) known = static_cast<std::uint16_t>(cost());
    return known;
  }

 private:
  static constexpr unsigned phases = 32;
  /// Addresses that have differed so often in a row come from data.
  static constexpr unsigned most_misses = 64;

  bool is_seen(const std::uint64_t* addresses, std::uint32_t mask, std::uint64_t first) const {
    if (mask != mask_) return false;
    std::uint64_t difference = 0;
    if (mask == ~0u)
      for (unsigned lane = 0; lane < 32; ++lane)
        difference |= (addresses[lane] - first) ^ offsets_[lane];
    else
      for (; mask; mask &= mask - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(mask));
        difference |= (addresses[lane] - first) ^ offsets_[lane];
      }
    return difference == 0;
  }
  void remember(const std::uint64_t* addresses, std::uint32_t mask, std::uint64_t first) {
    mask_ = mask;
    for (unsigned lane = 0; lane < 32; ++lane) offsets_[lane] = addresses[lane] - first;
    for (std::uint16_t& cost : costs_) cost = 0;
  }

  std::uint32_t mask_ = 0;  ///< 0: none seen
  bool is_shared_ = false;
  unsigned misses_ = 0;  ///< in a row
  std::uint64_t offsets_[32];
  std::uint16_t costs_[phases];  ///< by the place of the first in its sector; 0: not known
};

}  // namespace warpwise::watch
