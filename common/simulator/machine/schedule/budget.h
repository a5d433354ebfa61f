#pragma once
#include <cstdint>

#include "simulator/machine/runner_state.h"
#include "simulator/machine/schedule/deadlocks.h"

namespace warpwise::machine {

/// The thread instructions that a launch may use; and loops that never end, which would use them.
class Budget {
 public:
  /// @param is_first runner of the launch: it calls the others once they are worth it.
  Budget(RunnerState& here, Deadlocks& deadlocks, bool is_first)
      : here_(here), deadlocks_(deadlocks), is_first_(is_first) {}

  /// A block may use the whole budget, so that where it is stopped depends on no other block. A
  /// launch whose blocks use more together is found at its end, or earlier where that is far off.
  void look(const Group& group);
  /// The block's instructions count for the launch.
  void count_spent();

 private:
  void look_for_endless_loop(const Group& group);
  void plan_look();

  RunnerState& here_;
  Deadlocks& deadlocks_;
  const bool is_first_;
  DeadlockDetector endless_;  ///< of one warp
  std::uint64_t accesses_seen_ = 0;
};

}  // namespace warpwise::machine
