#pragma once
#include <bit>
#include <cstdint>

#include "simulator/watch/access_event.h"
#include "simulator/watch/address_shape.h"

namespace warpwise::watch {

/// Pieces of 4 KB of memory. It may say of one that it is in here when it is not.
class TouchedPieces {
 public:
  /// The pieces that an access touches. What lies between two of a few may be counted to them.
  class Reach {
   public:
    /// @param event outlives this. @param shape of it.
    Reach(const AccessEvent& event, const AddressShape& shape)
        : event_(event),
          first_(shape.lowest >> piece_shift),
          last_(shape.highest >> piece_shift),
          is_range_(last_ - first_ < few_pieces) {}

   private:
    friend TouchedPieces;
    static constexpr std::uint64_t few_pieces = 64;
    template <class Visit>
    void for_all(Visit visit) const {
      if (is_range_) {
        for (std::uint64_t piece = first_; piece <= last_; ++piece) visit(piece);
        return;
      }
      std::uint64_t before = ~0ull;
      for (std::uint32_t left = event_.mask; left; left &= left - 1) {
        const std::uint64_t piece = event_.addresses[std::countr_zero(left)] >> piece_shift;
        if (piece != before) visit(piece);
        before = piece;
      }
    }

    const AccessEvent& event_;
    std::uint64_t first_, last_;
    bool is_range_;
  };

  void clear() {
    if (any_) *this = TouchedPieces();
  }
  void add(const Reach& reach) {
    any_ = true;
    reach.for_all([&](std::uint64_t piece) { words_[word(piece)] |= bit(piece); });
  }
  void add(const TouchedPieces& others) {
    if (!others.any_) return;
    any_ = true;
    for (unsigned i = 0; i < words; ++i) words_[i] |= others.words_[i];
  }
  bool any() const { return any_; }
  /// True where one may be in both.
  bool meets(const TouchedPieces& others) const {
    if (!any_ || !others.any_) return false;
    std::uint64_t met = 0;
    for (unsigned i = 0; i < words; ++i) met |= words_[i] & others.words_[i];
    return met != 0;
  }
  /// True where the access may touch one of them.
  bool meets(const Reach& reach) const {
    if (!any_) return false;
    std::uint64_t met = 0;
    reach.for_all([&](std::uint64_t piece) { met |= words_[word(piece)] & bit(piece); });
    return met != 0;
  }

 private:
  static constexpr unsigned piece_shift = 12, words = 512;
  static unsigned word(std::uint64_t piece) { return piece / 64 % words; }
  static std::uint64_t bit(std::uint64_t piece) { return std::uint64_t{1} << piece % 64; }

  bool any_ = false;
  std::uint64_t words_[words] = {};
};

}  // namespace warpwise::watch
