#pragma once
#include <cstdint>

#include "simulator/watch/cells/address_shape.h"

namespace warpwise::watch {

/// The cost of an instruction's accesses, for addresses with the same layout. It depends only on
/// where the first one is in its sector.
class SeenCosts {
 public:
  /// @param pattern of the addresses. @param first of them.
  /// @param is_shared distinguishes accesses with other costs.
  /// @param cost of them, 1 to 65535. It does not change where all move by a multiple of a sector.
  template <class Cost>
  unsigned cost(AddressShape::Pattern pattern, std::uint64_t first, bool is_shared, Cost cost) {
    if (pattern == AddressShape::no_pattern) return cost();
    if (pattern != pattern_ || is_shared != is_shared_) {
      pattern_ = pattern;
      is_shared_ = is_shared;
      for (std::uint16_t& known : costs_) known = 0;
    }
    std::uint16_t& known = costs_[first % phases];
    if (known == 0) known = static_cast<std::uint16_t>(cost());
    return known;
  }

 private:
  static constexpr unsigned phases = 32;

  AddressShape::Pattern pattern_ = AddressShape::no_pattern;
  bool is_shared_ = false;
  std::uint16_t costs_[phases];  ///< by the place of the first in its sector; 0: not known
};

}  // namespace warpwise::watch
