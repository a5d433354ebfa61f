#pragma once
#include <cstdint>
#include <vector>

namespace warpwise::watch {

/// Cells to which instructions of a block have stored, each by the first.
class CellSet {
 public:
  CellSet() : slots_(1024) {}

  void clear() {
    used_ = 0;
    oldest_ = newest_ + 1;
  }
  /// Those that are added from now on are of another instruction.
  void start_instruction() { ++newest_; }
  enum class Found : std::uint8_t { nobody, same_instruction, earlier_instruction };
  /// Adds a cell. @return who has added it before.
  Found add(std::uint64_t cell) {
    Slot& slot = this->slot(cell);
    if (slot.instruction == newest_) return Found::same_instruction;
    if (slot.instruction >= oldest_) return Found::earlier_instruction;
    slot = {cell, newest_};
    if (++used_ * 2 > slots_.size()) grow();
    return Found::nobody;
  }

 private:
  struct Slot {
    std::uint64_t cell = 0;
    std::uint64_t instruction = 0;  ///< those before oldest_: it is free
  };
  /// Where the cell is, or would be.
  Slot& slot(std::uint64_t cell) {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = cell * 0x9e3779b97f4a7c15ull >> 24 & mask;; at = (at + 1) & mask)
      if (slots_[at].instruction < oldest_ || slots_[at].cell == cell) return slots_[at];
  }
  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& one : old)
      if (one.instruction >= oldest_) slot(one.cell) = one;
  }

  std::vector<Slot> slots_;  ///< open addressing; a power of two
  std::size_t used_ = 0;
  std::uint64_t oldest_ = 1, newest_ = 1;  ///< instructions since it was cleared
};

}  // namespace warpwise::watch
