#pragma once
#include <cstdint>
#include <string>

#include "simulator/machine/copies/mbarriers.h"
#include "simulator/machine/runner_state.h"
#include "simulator/machine/schedule/deadlock_detector.h"
#include "simulator/machine/together/barriers.h"

namespace warpwise::machine {

/// Tells whether blocks that wait can ever go on, and lets others run for which they may wait:
/// other launches, and the host.
class Deadlocks {
 public:
  struct Parts {
    Mbarriers& mbarriers;
    Barriers& barriers;
  };
  Deadlocks(RunnerState& here, const Parts& parts);

  /// Something has happened, or may, that others have waited for.
  void expect_changes();
  /// All resident blocks have had their turns and wait. Faults where none can go on.
  void end_round();
  /// Other work of the device has its turn.
  /// @param stands no block can go on without that.
  void let_others_run(bool stands);
  /// True where the block has done nothing else but wait, and look at a clock, for so long.
  bool waited_for(std::uint64_t thread_instructions) const;
  /// Faults: every resident block only waits, and nothing that it could wait for will happen.
  /// @param others where other work of the device waits; may be empty.
  [[noreturn]] void report(const std::string& others);

  /// Faults where the launch's time is over: few instructions may take long, such as updates of
  /// words that many threads have read.
  void look_at_time();
  [[noreturn]] void report_time_over(std::uint32_t lanes);
  /// Why the kernel may have stopped itself.
  const char* trap_text() const;

 private:
  void restart_clocks();
  bool is_deadlocked();
  bool only_clocks_go_on() const;
  std::uint64_t fingerprint(bool with_shared) const;
  bool host_may_help() const;
  void wait_for_host();
  std::string at_barriers() const;
  std::uint64_t blocks_not_begun() const;
  std::string not_begun() const;
  bool is_compare_and_swap(const code::Instruction& instruction) const;
  const Group* go_where_one_looks();
  bool is_in_group_function() const;

  RunnerState& here_;
  Parts parts_;
  const bool reads_clock_;
  std::uint64_t changes_seen_ = 0;      ///< of changes_for_others()
  std::uint64_t changes_reported_ = 0;  ///< of these, that the device's other work knows of
  std::uint64_t changes_within_seen_ = 0;
  std::uint64_t busy_rounds_ = 0;    ///< of all blocks, in which they waited and changed something
  std::uint64_t idle_rounds_ = 0;    ///< since then, in which they only waited
  bool has_changed_within_ = false;  ///< in one of these they changed what no other block sees
  DeadlockDetector deadlock_detector_;
  std::uint64_t idle_from_ = 0, all_idle_from_ = 0;  ///< since when nothing has changed
};

}  // namespace warpwise::machine
