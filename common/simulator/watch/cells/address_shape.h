#pragma once
#include <cstdint>

#include "simulator/watch/cells/access_event.h"

namespace warpwise::watch {

/// The distances of an access's addresses from each other.
struct AddressShape {
  AddressShape() {}  ///< says nothing yet
  /// @param addresses of 32 lanes; those outside the mask mean nothing. @param mask not 0.
  AddressShape(const std::uint64_t* addresses, std::uint32_t mask, unsigned bytes);
  explicit AddressShape(const AccessEvent& event);

  /// A number shared by all accesses whose addresses have the same layout.
  using Pattern = std::uint32_t;
  static constexpr Pattern no_pattern = 0;  ///< it is not known whether others do

  /// The same somewhere else.
  AddressShape moved_to(std::uint64_t start) const {
    AddressShape moved = *this;
    moved.first = start;
    moved.lowest += start - first;
    moved.highest += start - first;
    return moved;
  }
  /// True where all addresses are multiples of a power of two. For lanes with gaps between them it
  /// may say no where they are.
  bool is_aligned(unsigned to) const { return ((first | apart) & (to - 1)) == 0; }
  /// True where no lane leaves [base, base + size).
  bool is_inside(std::uint64_t base, std::uint64_t size, unsigned bytes) const {
    return size >= bytes && first - base <= size - bytes && lowest - base <= size - bytes &&
           highest - base <= size - bytes;
  }

  std::uint64_t first;            ///< of the first lane that takes part
  std::uint64_t lowest, highest;  ///< of the lanes that take part
  std::uint64_t apart;            ///< all bits that distances from the first have, or more
  /// Each lane is as far from the next as any other, and that is not far.
  bool is_regular;
  /// All 32 lanes take part, each right after the one before.
  bool is_consecutive;
  std::uint64_t stride;  ///< bytes from lane to lane where they are regular; lanes may go down
  Pattern pattern = no_pattern;
};

}  // namespace warpwise::watch
