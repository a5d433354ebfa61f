#pragma once
#include <cstdint>
#include <string>

#include "simulator/machine/checks/races/races.h"
#include "simulator/machine/checks/uninitialized.h"
#include "simulator/machine/runner_state.h"
#include "simulator/machine/together/cluster.h"
#include "simulator/machine/together/matrix.h"
#include "simulator/machine/together/synchronize.h"
#include "simulator/machine/together/warpgroup.h"

namespace warpwise::machine {

/// The sixteen barriers of a block: which threads arrive, wait, or can never come.
class Barriers {
 public:
  struct Parts {
    Clusters& cluster;
    Uninitialized& uninitialized;
    Races& races;
    WarpMeetings& warp_meetings;
    Matrices& matrices;
    Warpgroups& warpgroups;
  };
  Barriers(RunnerState& here, const Parts& parts) : here_(here), parts_(parts) {}

  /// Takes lanes that name the same barrier to it; others of the group come after them.
  /// @return true where the group goes on, as those do that only arrive.
  bool execute(Group& group, const code::Instruction& instruction, std::uint32_t mask);
  /// Opens the barriers of the block, its warpgroups and its cluster at which all have arrived.
  /// @return true where there was one.
  bool complete();
  /// Faults: all threads of the block wait, and none can go on.
  [[noreturn]] void report_deadlock();

 private:
  void release(std::uint32_t barrier);
  void answer(const code::Instruction& instruction, std::uint32_t mask,
              const Block::Barrier& barrier);
  bool check_aligned(std::uint32_t barrier);
  void check_one_place();
  void note_apart();
  void note_exited(const Group& group, unsigned warp);
  std::uint32_t missing_threads(std::uint32_t barrier) const;
  std::string other_waits(const Group& group) const;

  RunnerState& here_;
  Parts parts_;
};

}  // namespace warpwise::machine
