#pragma once
#include <cstdint>
#include <optional>

#include "simulator/machine/checks/races/race_reports.h"
#include "simulator/machine/runner_state.h"
#include "simulator/watch/launches/concurrent_launches.h"
#include "simulator/watch/launches/early_accesses.h"

namespace warpwise::machine {

/// Accesses of a launch that may have begun before the previous one has ended, and those of one
/// whose next launches may have begun; accesses to memory that the host can reach.
class OtherLaunches {
 public:
  OtherLaunches(RunnerState& here, RaceReports& race_reports);

  /// True where accesses to global memory are to be noted.
  bool are_watched() const { return are_watched_; }
  /// An access to global memory, which is inside its allocation.
  void note(const code::Access& access, std::uint32_t mask, const std::uint64_t* addresses);
  void start_block();
  /// Forgets what all threads know of.
  void forget(const watch::VectorClock& past);
  /// griddepcontrol. After a wait the previous launch has ended, for the lanes and for each thread
  /// ordered after them.
  void at_grid_control(code::GridControl control, std::uint32_t lanes);

  /// Compares with what the previous launch touched, for which this one waits too late.
  void report(watch::Diagnoses& diagnoses);
  void keep_host_footprint();
  /// Null: races are not checked, or the kernel launches no other.
  watch::ConcurrentLaunches* concurrent() { return concurrent_ ? &*concurrent_ : nullptr; }

 private:
  RunnerState& here_;
  bool are_watched_ = false;
  RaceReports& race_reports_;
  /// None: races are not checked, or the kernel launches no other.
  std::optional<watch::ConcurrentLaunches> concurrent_;
  /// None: the launch does not begin before the previous one has ended.
  std::optional<watch::EarlyAccesses> early_;
  /// Accesses to memory that the host can reach, without any wait; none: not recorded.
  std::optional<watch::EarlyAccesses> of_host_;
};

}  // namespace warpwise::machine
