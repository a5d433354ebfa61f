#pragma once
#include <cstdint>

#include "simulator/machine/access/access.h"
#include "simulator/machine/runner_state.h"
#include "simulator/machine/schedule/pending_spin_reads.h"

namespace warpwise::machine {

/// Before a block writes a word, the blocks that wait at that word may read it.
class SpinReadsBeforeWrites {
 public:
  SpinReadsBeforeWrites(RunnerState& here, Accesses& accesses) : here_(here), accesses_(accesses) {}

  /// A block's turn begins: it reads.
  void begin_turn(const Block& block) { spin_reads_.reads(block.index); }
  /// It ends, and the block waits: keeps what it reads.
  void end_turn(const Block& block);
  /// True where no block waits anywhere, nor has.
  bool empty() const { return spin_reads_.empty(); }
  /// @param access that changes memory, for lanes that the lowest of them represents.
  /// @return true where others that wait have to read there first.
  bool lets_others_read(const code::Access& access, std::uint32_t mask);

 private:
  RunnerState& here_;
  Accesses& accesses_;
  PendingSpinReads spin_reads_;  ///< of blocks that wait, while others run
};

}  // namespace warpwise::machine
