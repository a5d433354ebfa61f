#pragma once
#include <cstdint>

#include "simulator/machine/runner_state.h"
#include "simulator/machine/together/synchronize.h"

namespace warpwise::machine {

/// Instructions on matrices that a warp holds together.
class Matrices {
 public:
  Matrices(RunnerState& here, WarpMeetings& warp_meetings)
      : here_(here), warp_meetings_(warp_meetings) {}

  /// @return false where the group waits for lanes that have not arrived yet.
  bool execute(Group& group, const code::Instruction& instruction, std::uint32_t mask);
  /// Faults: these lanes of the warp wait here, the others never will.
  [[noreturn]] void report_missing_lanes(std::uint32_t lanes);

 private:
  void check_one_tile(const code::MatrixRegisters::Tile& tile);
  void check_tile(const code::MatrixRegisters::Tile& tile);

  RunnerState& here_;
  WarpMeetings& warp_meetings_;
};

}  // namespace warpwise::machine
