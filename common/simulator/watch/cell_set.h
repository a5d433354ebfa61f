#pragma once
#include <cstdint>
#include <vector>

namespace warpwise::watch {

/// Cells to which instructions of a block have stored, line by line.
class CellSet {
 public:
  CellSet() : slots_(256) {}

  void clear() {
    used_ = 0;
    oldest_ = newest_ + 1;
  }
  /// Those that are added from now on are of another instruction.
  void start_instruction() { ++newest_; }
  /// Cells that were there before.
  struct Found {
    std::uint32_t same_instruction, earlier_instruction;
  };
  /// Adds cells of a line.
  Found add(std::uint64_t line, std::uint32_t cells) {
    Slot& slot = this->slot(line);
    if (slot.instruction < oldest_) {
      slot = {line, newest_, cells, 0};
      if (++used_ * 2 > slots_.size()) grow();
      return {0, 0};
    }
    if (slot.instruction != newest_) slot = {line, newest_, 0, slot.newest | slot.earlier};
    const Found found{slot.newest & cells, slot.earlier & cells};
    slot.newest |= cells;
    return found;
  }

 private:
  struct Slot {
    std::uint64_t line = 0;
    std::uint64_t instruction = 0;          ///< the newest there; before oldest_: it is free
    std::uint32_t newest = 0, earlier = 0;  ///< cells of that one, and of those before
  };
  /// Where the line is, or would be.
  Slot& slot(std::uint64_t line) {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = line * 0x9e3779b97f4a7c15ull >> 24 & mask;; at = (at + 1) & mask)
      if (slots_[at].instruction < oldest_ || slots_[at].line == line) return slots_[at];
  }
  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& one : old)
      if (one.instruction >= oldest_) slot(one.line) = one;
  }

  std::vector<Slot> slots_;  ///< open addressing; a power of two
  std::size_t used_ = 0;
  std::uint64_t oldest_ = 1, newest_ = 1;  ///< instructions since it was cleared
};

}  // namespace warpwise::watch
