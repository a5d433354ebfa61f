#pragma once
#include <cstdint>

#include "simulator/machine/runner_state.h"

namespace warpwise::machine {

/// Special registers, such as %tid.x, and clocks.
class Specials {
 public:
  explicit Specials(RunnerState& here) : here_(here) {}

  /// The values that special registers depend on: all that hold for the launch, those of the block,
  /// those of the call.
  enum class Of { grid, block, call };
  /// Writes what has changed to the registers of the frame that the warp uses.
  void set(unsigned warp, Of changed);
  /// Clocks count thread instructions and what warps slept: of the block for %clock, of all
  /// launches before as well for %globaltimer.
  void read_clock(const code::Instruction& instruction, std::uint32_t mask);

 private:
  RunnerState& here_;
};

}  // namespace warpwise::machine
