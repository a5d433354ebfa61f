#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>

#include "simulator/machine/access/atomics.h"
#include "simulator/machine/checks/copy_checks.h"
#include "simulator/machine/checks/races/first_stores.h"
#include "simulator/machine/checks/races/lost_updates.h"
#include "simulator/machine/checks/races/other_launches.h"
#include "simulator/machine/checks/races/race_reports.h"
#include "simulator/machine/runner_state.h"
#include "simulator/watch/global/global_watch.h"
#include "simulator/watch/launches/grid_races.h"

namespace warpwise::machine {

/// What each access reports to the checks that watch: counts, traces, and the histories in which
/// races are found.
class Races {
 public:
  /// The parts that look at an access with it.
  struct Parts {
    const Atomics& atomics;
    CopyChecks& copy_checks;
    RaceReports& race_reports;
    FirstStores& first_stores;
    LostUpdates& lost_updates;
    OtherLaunches& other_launches;
  };
  Races(RunnerState& here, const Parts& parts);

  /// An access to shared or global memory, before it is made.
  void watch_access(const code::Access& access, bool is_shared, std::uint32_t mask,
                    const std::uint64_t* addresses, const watch::AddressShape& shape);
  /// Memory in which the runtime lets parts of a block wait for each other.
  void watch_reserved(const code::Access& access, std::uint32_t mask,
                      const std::uint64_t* addresses);
  /// Counts an access to global memory, and the threads that take part in it.
  void count_participants(const watch::AccessEvent& event, watch::AddressShape::Pattern pattern);

  // race_histories.cpp
  void start_block(std::uint64_t index);
  void finish_block(const Block& block);
  /// Blocks of clusters begin, where none has been before.
  void start_clusters();
  /// All threads of the block have met at its barrier, which may be a barrier of the whole grid.
  void meet();
  /// Not to be called where races are not checked, or blocks have one history.
  watch::GlobalWatch* global_watch() { return &*global_watch_; }

 private:
  bool is_during_copy() const;
  void watch_update(const watch::AccessEvent& event);
  bool is_watched(memory::Kind kind) const;
  void watch_global(const code::Access& access, const watch::AccessEvent& event,
                    const watch::AddressShape& shape);
  watch::StoredValues stored_values(const code::Access& access, std::uint64_t distance);
  void watch_bulk(const code::Access& access, const watch::AccessEvent& event,
                  watch::StoredValues values);
  template <class Visit>
  bool for_touched(const code::Access& access, const watch::AccessEvent& event, unsigned cell_shift,
                   std::uint64_t distance, Visit visit) const;
  template <class Visit>
  bool for_touched_by_atomic(const code::Access& access, const watch::AccessEvent& event,
                             unsigned cell_shift, std::uint64_t distance, const Visit& visit) const;
  void find_global_race(const code::Access& access, const watch::AccessEvent& event,
                        const watch::AddressShape& shape, const watch::StoredValues& values);
  void forget(const watch::VectorClock& past);
  // cluster_races.cpp
  void watch_cluster(const code::Access& access, const watch::AccessEvent& event);
  void report_cluster_race(const code::Access& access, const watch::GlobalRaces::Race& race);

  RunnerState& here_;
  Parts parts_;
  unsigned shared_cell_shift_;
  watch::SyncPoints sync_points_;  ///< in global memory
  /// None: races are not checked, or blocks have one history.
  std::optional<watch::GlobalWatch> global_watch_;
  std::optional<watch::GridRaces> grid_races_;  ///< none: not checked, or blocks have none
  /// In shared memory, between blocks of a cluster; none: no block reaches another's, or not only
  /// the cluster's barrier orders them.
  std::optional<watch::GlobalRaces> cluster_races_;
};

}  // namespace warpwise::machine
