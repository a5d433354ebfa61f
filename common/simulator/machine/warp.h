#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "simulator/code/program.h"
#include "simulator/machine/definedness.h"

namespace warpwise::machine {

/// Lanes of a warp that stand at the same instruction.
struct Group {
  enum class State : std::uint8_t { ready, at_barrier, at_warp_sync };
  std::uint32_t pc = 0;
  std::uint32_t mask = 0;
  State state = State::ready;
  std::uint32_t barrier = 0;  ///< at_barrier: its number; at_warp_sync: the lanes named
  std::uint32_t polls = 0;    ///< strong accesses and fences: signs of waiting for others
  struct Poll {               ///< where it looked at memory that others change
    std::uint32_t pc = 0;
    std::uint64_t address = 0, changes = 0;
  };
  Poll last_poll{};
};

/// A warp: its register file and the groups of lanes that it has split into. Reused block after
/// block.
class Warp {
 public:
  explicit Warp(const code::Program& program);

  /// Begins a block: all lanes of `existing` at the first instruction.
  void start(std::uint32_t existing);

  std::byte* registers() { return registers_.get(); }
  std::byte* slot(code::Slot slot) { return registers_.get() + slot; }
  std::uint32_t& mask_at(code::Slot slot) {
    return *reinterpret_cast<std::uint32_t*>(registers_.get() + slot);
  }

  std::vector<Group> groups;
  std::uint32_t existing = 0;  ///< lanes that the block has threads for
  std::uint32_t live = 0;      ///< lanes that have not exited
  UndefinedValues undefined;
  std::unique_ptr<std::byte[]> local;  ///< local memory, one frame after another

 private:
  struct Free {
    void operator()(std::byte* bytes) const;
  };
  std::unique_ptr<std::byte[], Free> registers_;
  const code::Program* program_;
};

}  // namespace warpwise::machine
