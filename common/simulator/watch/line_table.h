#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

namespace warpwise::watch {

/// Lines of memory by number, of which few are touched, and those in clusters. They are found by
/// tiles of 32 lines; nothing is given back before the end, so that a cleared table fills quickly.
/// @tparam Line has `start(number)`, which makes a new or an old one a line without a past.
template <class Line>
class LineTable {
 public:
  LineTable() : slots_(64) {}

  void clear() {
    used_lines_ = used_tiles_ = 0;
    last_ = nullptr;
    if (++epoch_ != 0) return;
    std::fill(slots_.begin(), slots_.end(), Slot{});
    epoch_ = 1;
  }

  /// The line of that number, started where it is new. Until the next call.
  Line& at(std::uint64_t number) {
    const std::uint64_t tile = number / lines_per_tile;
    if (!last_ || last_->number != tile) last_ = &tiles_[find(tile)];
    std::uint32_t& line = last_->lines[number % lines_per_tile];
    if (line == 0) {
      if (used_lines_ == lines_.size()) lines_.emplace_back();
      line = static_cast<std::uint32_t>(++used_lines_);
      lines_[line - 1].start(number);
    }
    return lines_[line - 1];
  }

  /// Calls visit(line) for all lines, in the order in which they were started.
  template <class Visit>
  void for_all(Visit visit) const {
    for (std::size_t i = 0; i < used_lines_; ++i) visit(lines_[i]);
  }

 private:
  static constexpr unsigned lines_per_tile = 32;
  struct Tile {
    std::uint64_t number = 0;
    std::uint32_t lines[lines_per_tile] = {};  ///< 1 + index, 0: none
  };
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
    const auto made = static_cast<std::uint32_t>(used_tiles_++);
    if (made == tiles_.size()) tiles_.emplace_back();
    tiles_[made] = Tile{number};
    if (used_tiles_ * 2 > slots_.size()) {
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
  std::vector<Line> lines_;
  std::size_t used_tiles_ = 0, used_lines_ = 0;
  Tile* last_ = nullptr;  ///< that was asked for
};

}  // namespace warpwise::watch
