#pragma once
#include <cstdint>

#include "simulator/machine/access/access.h"
#include "simulator/machine/schedule/waiting_looks.h"
#include "simulator/machine/worker_state.h"

namespace warpwise::machine {

/// Before a block changes a word, the blocks that wait at that word may look at it.
class LooksBeforeChanges {
 public:
  LooksBeforeChanges(WorkerState& here, Accesses& accesses) : here_(here), accesses_(accesses) {}

  /// A block's turn begins: it looks.
  void begin_turn(const Block& block) { looks_.looks(block.index); }
  /// It ends, and the block waits: keeps what it looks at.
  void end_turn(const Block& block);
  /// True where no block waits anywhere, nor has.
  bool empty() const { return looks_.empty(); }
  /// @param access that changes memory, for lanes that the lowest of them represents.
  /// @return true where others that wait have to look there first.
  bool lets_others_look(const code::Access& access, std::uint32_t mask);

 private:
  WorkerState& here_;
  Accesses& accesses_;
  WaitingLooks looks_;  ///< of blocks that wait, while others run
};

}  // namespace warpwise::machine
