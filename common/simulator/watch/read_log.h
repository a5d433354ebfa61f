#pragma once
#include <bit>
#include <cstdint>
#include <vector>

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

/// What a block has read of memory to which it had not stored before.
class ReadLog {
 public:
  /// One instruction of one warp, and what was known of its order when it was executed.
  struct Read {
    std::uint64_t base;
    std::uint32_t site, mask;
    std::uint32_t clock;
    std::uint32_t whole_sync;  ///< of the warp
    std::uint32_t floor;       ///< what any warp of the block did up to this clock came before
    std::uint32_t offsets;     ///< 1 + index; 0: all lanes read at the base
    std::uint16_t warp, bytes;
  };

  bool empty() const { return reads_.empty(); }
  bool is_full() const { return reads_.size() == most; }
  void clear() {
    reads_.clear();
    offsets_.clear();
    pieces_.clear();
  }
  /// Adds a read with the site, the mask, the width and the addresses of the event.
  /// @param pieces of which the read must touch none. @return null where it does, or its addresses
  /// lie too far apart; else what was added, of which the rest is to be filled in.
  Read* add(const AccessEvent& event, const TouchedPieces& pieces);
  /// True where the access may touch pieces that were read.
  bool meets(const AccessEvent& event) const { return pieces_.meets(event); }
  /// Calls visit(read, event) for all of them, in their order.
  template <class Visit>
  void for_all(Visit visit) const;

 private:
  /// Blocks that read more are watched access by access: 10 MB for each host thread.
  static constexpr std::size_t most = 1 << 16;
  struct Offsets {
    std::int32_t of[32];  ///< from the base, by lane
  };
  std::vector<Read> reads_;
  std::vector<Offsets> offsets_;
  TouchedPieces pieces_;
};

template <class Visit>
void ReadLog::for_all(Visit visit) const {
  alignas(64) std::uint64_t addresses[32];
  AccessEvent event{};
  event.addresses = addresses;
  for (const Read& read : reads_) {
    event.site = read.site;
    event.mask = read.mask;
    event.bytes = read.bytes;
    for (unsigned lane = 0; lane < 32; ++lane) addresses[lane] = read.base;
    if (read.offsets)
      for (unsigned lane = 0; lane < 32; ++lane)
        addresses[lane] += static_cast<std::uint64_t>(
            static_cast<std::int64_t>(offsets_[read.offsets - 1].of[lane]));
    visit(read, static_cast<const AccessEvent&>(event));
  }
}

}  // namespace warpwise::watch
