#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

namespace warpwise::watch {

/// Tiles of memory by number, of which few are touched. Nothing is given back before the end, so
/// that a cleared table fills quickly.
/// @tparam Tile has `number`, and `start(number)`, which makes a new or an old one a tile without a
/// past.
template <class Tile>
class TileTable {
 public:
  TileTable() : slots_(64) {}

  void clear() {
    used_ = 0;
    last_ = nullptr;
    if (++epoch_ != 0) return;
    std::fill(slots_.begin(), slots_.end(), Slot{});
    epoch_ = 1;
  }

  /// The tile of that number, started where it is new. Until the next call.
  Tile& at(std::uint64_t number) {
    if (!last_ || last_->number != number) last_ = &tiles_[find(number)];
    return *last_;
  }

  /// Calls visit(tile) for all, in the order in which they were started.
  template <class Visit>
  void for_all(Visit visit) const {
    for (std::size_t i = 0; i < used_; ++i) visit(tiles_[i]);
  }
  template <class Visit>
  void for_all(Visit visit) {
    for (std::size_t i = 0; i < used_; ++i) visit(tiles_[i]);
  }

 private:
  struct Slot {
    std::uint64_t number = 0;
    std::uint32_t epoch = 0, tile = 0;
  };

  /// Where the slot of a tile is, or would be.
  Slot& slot(std::uint64_t number) {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = number * 0x9e3779b97f4a7c15ull >> 20 & mask;; at = (at + 1) & mask)
      if (slots_[at].epoch != epoch_ || slots_[at].number == number) return slots_[at];
  }
  std::uint32_t find(std::uint64_t number) {
    const Slot& found = slot(number);
    if (found.epoch == epoch_) return found.tile;
    const auto made = static_cast<std::uint32_t>(used_++);
    if (made == tiles_.size()) tiles_.emplace_back();
    tiles_[made].start(number);
    if (used_ * 2 > slots_.size()) {
      slots_.assign(slots_.size() * 2, Slot{});
      for (std::uint32_t i = 0; i < made; ++i)
        slot(tiles_[i].number) = {tiles_[i].number, epoch_, i};
    }
    slot(number) = {number, epoch_, made};
    return made;
  }

  std::uint32_t epoch_ = 1;  ///< slots of others are free
  std::vector<Slot> slots_;  ///< open addressing; a power of two
  std::vector<Tile> tiles_;
  std::size_t used_ = 0;  ///< of tiles_
  Tile* last_ = nullptr;  ///< that was asked for
};

}  // namespace warpwise::watch
