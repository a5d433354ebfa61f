#pragma once
#include <bit>
#include <cstdint>

#include "simulator/watch/access_event.h"

namespace warpwise::watch {

/// Pieces of 4 KB of memory. It may say of one that it is in here when it is not.
class TouchedPieces {
 public:
  void clear() {
    if (any_) *this = TouchedPieces();
  }
  void add(const AccessEvent& event) {
    any_ = true;
    for_pieces(event, [&](std::uint64_t piece) { words_[word(piece)] |= bit(piece); });
  }
  /// True where the access may touch one of them.
  bool meets(const AccessEvent& event) const {
    if (!any_) return false;
    std::uint64_t met = 0;
    for_pieces(event, [&](std::uint64_t piece) { met |= words_[word(piece)] & bit(piece); });
    return met != 0;
  }
  /// The same for all from one address to another.
  void add(std::uint64_t first, std::uint64_t last) {
    any_ = true;
    for_pieces(first, last, [&](std::uint64_t piece) { words_[word(piece)] |= bit(piece); });
  }
  bool meets(std::uint64_t first, std::uint64_t last) const {
    if (!any_) return false;
    std::uint64_t met = 0;
    for_pieces(first, last, [&](std::uint64_t piece) { met |= words_[word(piece)] & bit(piece); });
    return met != 0;
  }

 private:
  static constexpr unsigned piece_shift = 12, words = 512;
  static unsigned word(std::uint64_t piece) { return piece / 64 % words; }
  static std::uint64_t bit(std::uint64_t piece) { return std::uint64_t{1} << piece % 64; }
  template <class Visit>
  static void for_pieces(std::uint64_t first, std::uint64_t last, Visit visit) {
    for (std::uint64_t piece = first >> piece_shift; piece <= last >> piece_shift; ++piece)
      visit(piece);
  }
  template <class Visit>
  static void for_pieces(const AccessEvent& event, Visit visit) {
    if (event.is_consecutive) return for_pieces(event.addresses[0], event.addresses[31], visit);
    std::uint64_t before = ~0ull;
    for (std::uint32_t left = event.mask; left; left &= left - 1) {
      const std::uint64_t piece = event.addresses[std::countr_zero(left)] >> piece_shift;
      if (piece != before) visit(piece);
      before = piece;
    }
  }

  bool any_ = false;
  std::uint64_t words_[words] = {};
};

}  // namespace warpwise::watch
