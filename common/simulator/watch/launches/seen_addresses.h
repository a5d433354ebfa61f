#pragma once
#include <cstdint>

#include "simulator/watch/cells/address_shape.h"

namespace warpwise::watch {

/// The layout of an instruction's last addresses. The next ones mostly have the same layout, only
/// elsewhere: then nothing about them needs to be found again.
class SeenAddresses {
 public:
  SeenAddresses() {}  // leaves what is not looked at as it is: there is one for each instruction

  /// @param addresses of 32 lanes; those outside the mask are not looked at. @param mask not 0.
  /// @param latest in,out: the last pattern that any instruction was given.
  AddressShape look(const std::uint64_t* addresses, std::uint32_t mask, unsigned bytes,
                    AddressShape::Pattern& latest);
  /// Lanes that were looked at, so many that nearly every line of memory has one of them.
  /// @param addresses that were looked at last
  std::uint32_t outline(const std::uint64_t* addresses) {
    if (outline_ == 0) find_outline(addresses);
    return outline_;
  }
  /// How many lanes are adjacent, everywhere that was looked at: 16, 8, 4, 2 or 1. Also 1 where not
  /// all take part, and where addresses come from data.
  unsigned lanes_together() {
    if (together_ == 0) find_together();
    return together_;
  }
  /// True where the first address is in the line of the access before, which had the same shape:
  /// then most others are there as well.
  bool stays() const { return stays_; }
  /// Bytes from the first address of the access before to that of this one; 0: it is another shape.
  std::uint64_t step() const { return step_; }

 private:
  /// Addresses that have differed so often in a row come from data.
  static constexpr unsigned most_misses = 64;

  bool are_seen(const std::uint64_t* addresses, std::uint64_t first) const;
  void find_outline(const std::uint64_t* addresses);
  void find_together();
  void remember(const std::uint64_t* addresses);

  std::uint32_t mask_ = 0;     ///< 0: none seen
  std::uint32_t outline_ = 0;  ///< 0: not asked for yet
  unsigned together_ = 0;      ///< 0: not asked for yet
  bool stays_ = false;
  unsigned bytes_ = 0;
  unsigned misses_ = 0;       ///< in a row
  std::uint64_t latest_ = 0;  ///< first address
  std::uint64_t step_ = 0;
  AddressShape shape_;
  std::uint64_t distances_[32];  ///< from the first lane that takes part; 0 of those that do not
};

}  // namespace warpwise::watch
