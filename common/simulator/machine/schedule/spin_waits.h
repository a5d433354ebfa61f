#pragma once
#include <cstdint>

#include "simulator/machine/runner_state.h"
#include "simulator/machine/schedule/spin_loop.h"

namespace warpwise::machine {

/// Signs that a group waits for another thread: strong accesses, fences and sleep. After enough of
/// them others have their turns.
class SpinWaits {
 public:
  explicit SpinWaits(RunnerState& here) : here_(here) {}

  /// A group begins to run; others may have run since it did so the last time.
  void begin_run() { ++runs_; }
  /// Counts a sign of waiting. To look at the same place again where nothing has changed since is a
  /// strong one: then a few iterations of a loop are enough.
  /// @param address that the current access looks at; 0: none.
  void poll(std::uint64_t address, std::uint32_t weight = 1);
  /// The group waits, as the hardware lets it at an mbarrier: all others have their turns before it
  /// looks again, so that waiting uses next to none of the launch's budget.
  void give_way();
  /// To sleep is a sign of waiting, if no proof: some sleep before they look for the first time,
  /// and find what they look for. For clocks the time passes, as far as a GPU sleeps at once.
  void sleep(const code::Instruction& instruction, std::uint32_t mask);

 private:
  bool looks_at_global(std::uint64_t address) const;
  std::uint32_t rounds_alike(std::uint64_t address, std::uint32_t weight);

  RunnerState& here_;
  std::uint64_t runs_ = 0;              ///< of a group, between which others may have run
  SpinLoop spin_loop_{here_.program_};  ///< in which a group waits
};

}  // namespace warpwise::machine
