#pragma once
#include <bit>
#include <cstdint>

#include "simulator/watch/cells/access_event.h"
#include "simulator/watch/cells/address_shape.h"
#include "simulator/watch/cells/for_lanes.h"

namespace warpwise::watch {

/// Pieces of 4 KB of memory. It may say of one that it is in here when it is not.
class TouchedPieces {
 public:
  /// The pieces that an access touches. Bytes between two of a few may be counted to them.
  class Reach {
   public:
    /// @param shape of the event.
    Reach(const AccessEvent& event, const AddressShape& shape)
        : first_(shape.lowest >> piece_shift), last_(shape.highest >> piece_shift) {
      if (last_ - first_ >= few_pieces) find_each(event);
    }

   private:
    friend TouchedPieces;
    static constexpr std::uint64_t few_pieces = 64;
    /// A piece that neighbouring lanes share is listed here once.
    void find_each(const AccessEvent& event) {
      std::uint64_t before = ~0ull;
      for (std::uint32_t left = event.mask; left; left &= left - 1) {
        const std::uint64_t piece = event.addresses[std::countr_zero(left)] >> piece_shift;
        each_[count_] = piece;
        count_ += piece != before;
        before = piece;
      }
    }
    template <class Visit>
    void for_all(Visit visit) const {
      if (count_ == 0)
        for (std::uint64_t piece = first_; piece <= last_; ++piece) visit(piece);
      else
        for (unsigned i = 0; i < count_; ++i) visit(each_[i]);
    }

    std::uint64_t first_, last_;
    unsigned count_ = 0;  ///< 0: all from the first to the last
    std::uint64_t each_[32];
  };

  void clear() { used_ = 0; }
  void add(const Reach& reach) {
    reach.for_all(
        [&](std::uint64_t piece) { group(group_of(piece)).of[word(piece)] |= bit(piece); });
  }
  void add_at(std::uint64_t address) {
    const std::uint64_t piece = piece_of(address);
    group(group_of(piece)).of[word(piece)] |= bit(piece);
  }
  static std::uint64_t piece_of(std::uint64_t address) { return address >> piece_shift; }
  bool has_at(std::uint64_t address) const {
    const std::uint64_t piece = piece_of(address);
    return has(group_of(piece)) && (groups_[group_of(piece)].of[word(piece)] & bit(piece));
  }
  void add(const TouchedPieces& others) {
    for_lanes(others.used_, [&](unsigned number) {
      std::uint64_t* const mine = group(number).of;
      for (unsigned i = 0; i < words; ++i) mine[i] |= others.groups_[number].of[i];
    });
  }
  bool any() const { return used_ != 0; }
  /// Bytes of all pieces: no more than 1 GB.
  std::uint64_t bytes() const {
    std::uint64_t count = 0;
    for_lanes(used_, [&](unsigned number) {
      for (const std::uint64_t of : groups_[number].of)
        count += static_cast<unsigned>(std::popcount(of));
    });
    return count << piece_shift;
  }
  /// True where one may be in both.
  bool meets(const TouchedPieces& others) const {
    std::uint64_t met = 0;
    for_lanes(used_ & others.used_, [&](unsigned number) {
      for (unsigned i = 0; i < words; ++i)
        met |= groups_[number].of[i] & others.groups_[number].of[i];
    });
    return met != 0;
  }
  /// True where the access may touch one of them.
  bool meets(const Reach& reach) const {
    if (!any()) return false;
    std::uint64_t met = 0;
    reach.for_all([&](std::uint64_t piece) {
      if (has(group_of(piece))) met |= groups_[group_of(piece)].of[word(piece)] & bit(piece);
    });
    return met != 0;
  }

 private:
  /// A group is 16 MB. Memory further away than all of them together has the same pieces.
  static constexpr unsigned piece_shift = 12, words = 64, groups = 64;
  struct Group {
    std::uint64_t of[words];
  };
  bool has(unsigned number) const { return used_ >> number & 1; }
  Group& group(unsigned number) {
    if (!has(number)) groups_[number] = {};
    used_ |= std::uint64_t{1} << number;
    return groups_[number];
  }
  static unsigned group_of(std::uint64_t piece) { return piece / 64 / words % groups; }
  static unsigned word(std::uint64_t piece) { return piece / 64 % words; }
  static std::uint64_t bit(std::uint64_t piece) { return std::uint64_t{1} << piece % 64; }

  std::uint64_t used_ = 0;  ///< groups with any
  Group groups_[groups];    ///< others hold what was there
};

}  // namespace warpwise::watch
