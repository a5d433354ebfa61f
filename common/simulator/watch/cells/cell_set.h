#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "simulator/memory/prefetch.h"

namespace warpwise::watch {

/// Cells to which a block has stored, line by line.
class CellSet {
 public:
  CellSet() : slots_(256) {}

  void clear() {
    used_.clear();
    if (++epoch_ != 0) return;
    std::fill(slots_.begin(), slots_.end(), Slot{});
    epoch_ = 1;
  }
  /// Prefetches what is known of a line: for lines that are far from each other, which are asked
  /// for together before they are added one by one.
  void ask_for(std::uint64_t line) const { memory::prefetch(&slots_[home(line)]); }
  /// Those of a line's cells that are in the set.
  std::uint32_t known(std::uint64_t line, std::uint32_t cells) const {
    const Slot& slot = slots_[place(line)];
    return slot.epoch == epoch_ ? slot.cells & cells : 0;
  }
  /// Adds cells of a line. @return those that were there.
  std::uint32_t add(std::uint64_t line, std::uint32_t cells) {
    const std::size_t at = place(line);
    Slot& slot = slots_[at];
    if (slot.epoch != epoch_) {
      slot = {line, epoch_, cells};
      used_.push_back(static_cast<std::uint32_t>(at));
      if (used_.size() * 2 > slots_.size()) grow();
      return 0;
    }
    const std::uint32_t known = slot.cells & cells;
    slot.cells |= cells;
    return known;
  }
  /// Calls visit(line, cells) for all lines, each once.
  template <class Visit>
  void for_lines(Visit visit) const {
    for (const std::uint32_t at : used_) visit(slots_[at].line, slots_[at].cells);
  }

 private:
  struct Slot {
    std::uint64_t line = 0;
    std::uint32_t epoch = 0;  ///< another than that of the set: the slot is free
    std::uint32_t cells = 0;
  };
  /// Where the search for a line begins.
  std::size_t home(std::uint64_t line) const {
    return line * 0x9e3779b97f4a7c15ull >> 24 & (slots_.size() - 1);
  }
  /// Where the line is, or would be.
  std::size_t place(std::uint64_t line) const {
    std::size_t at = home(line);
    while (slots_[at].epoch == epoch_ && slots_[at].line != line)
      at = (at + 1) & (slots_.size() - 1);
    return at;
  }
  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (std::uint32_t& at : used_) {
      const Slot& one = old[at];
      at = static_cast<std::uint32_t>(place(one.line));
      slots_[at] = one;
    }
  }

  std::vector<Slot> slots_;          ///< open addressing; a power of two
  std::vector<std::uint32_t> used_;  ///< places in it
  std::uint32_t epoch_ = 1;          ///< of all since the set was cleared
};

}  // namespace warpwise::watch
