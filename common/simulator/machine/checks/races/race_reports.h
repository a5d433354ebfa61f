#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "simulator/code/values/through_products.h"
#include "simulator/machine/checks/races/race_advice.h"
#include "simulator/machine/runner_state.h"

namespace warpwise::machine {

/// Reports races.
class RaceReports {
 public:
  explicit RaceReports(RunnerState& here) : here_(here) {}

  /// In shared memory, of a lane of the current warp.
  void report(const code::Access& access, const watch::SharedRaces::Race& race);
  /// The same in global memory.
  void report(const code::Access& access, const watch::GlobalRaces::Race& race);
  /// Reports races of blocks that nothing orders; after the last block, by one runner for all.
  void report_inter_block_races(watch::Diagnoses& diagnoses) const;
  /// With other work of the device that nothing orders with this launch.
  void report_conflicts(watch::Diagnoses& diagnoses) const;
  /// @param how what joins this access and the other in a sentence.
  void report(const Neighbours::Conflict& conflict, const char* how,
              watch::Diagnoses& diagnoses) const;

 private:
  /// The other side of a race, in the block of this warp.
  struct OtherSide {
    unsigned thread;  ///< linear index in the block
    bool is_store;
    std::uint32_t site;
  };
  bool is_look_at_neighbours(std::uint32_t site, std::uint32_t other) const;
  code::Gathering gathering(const code::Access& access, unsigned lane, const OtherSide& other);
  std::string advice_on_half_atomic(const RaceSides& sides, bool is_same_block) const;
  bool is_atomic_site(std::uint32_t site) const;
  bool is_start_of_mbarrier(std::uint32_t site) const;
  std::string missing_between(const code::Access& access, std::uint32_t other_site,
                              bool other_is_store, bool is_same_warp) const;

  RunnerState& here_;
  /// By the sites of a store and a read: whether a product of matrices parts the two.
  std::map<std::pair<std::uint32_t, std::uint32_t>, code::Gathered> gatherings_;
  BenignMarkRaces benign_marks_{here_.program_};
};

}  // namespace warpwise::machine
