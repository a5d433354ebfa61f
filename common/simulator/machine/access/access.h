#pragma once
#include <cstdint>
#include <vector>

#include "simulator/machine/access/atomics.h"
#include "simulator/machine/checks/bounds.h"
#include "simulator/machine/checks/copy_checks.h"
#include "simulator/machine/checks/races/other_launches.h"
#include "simulator/machine/checks/races/races.h"
#include "simulator/machine/checks/shared_pointers.h"
#include "simulator/machine/checks/uninitialized.h"
#include "simulator/machine/runner_state.h"
#include "simulator/machine/schedule/spin_waits.h"
#include "simulator/machine/textures/textures.h"
#include "simulator/machine/together/cluster.h"
#include "simulator/watch/launches/seen_addresses.h"

namespace warpwise::machine {

/// Accesses to memory: the checks look at them first, then the bytes move.
class Accesses {
 public:
  /// The parts that look at an access, or do what is more than moving bytes.
  struct Parts {
    SpinWaits& spin_waits;
    Clusters& cluster;
    Bounds& bounds;
    Uninitialized& uninitialized;
    SharedPointers& shared_pointers;
    CopyChecks& copy_checks;
    Atomics& atomics;
    OtherLaunches& other_launches;
    Races& races;
    Textures& textures;
  };
  Accesses(RunnerState& here, const Parts& parts)
      : here_(here), parts_(parts), seen_(here.program_.sites.size()) {}

  /// A load, a store or an atomic of the lanes of a mask, which is not empty.
  void execute(const code::Instruction& instruction, const code::Access& access,
               std::uint32_t mask);
  /// The same at these addresses of one space, which may change.
  void access_space(const code::Instruction& instruction, const code::Access& access,
                    code::Space space, std::uint32_t mask, std::uint64_t* addresses);
  /// @param addresses out: of 32 lanes, as the instruction has them.
  void lane_addresses(const code::Access& access, std::uint64_t* addresses);

 private:
  void access_generic(const code::Instruction& instruction, const code::Access& access,
                      std::uint32_t mask, const std::uint64_t* addresses);
  void access_own(const code::Instruction& instruction, const code::Access& access,
                  code::Space space, std::uint32_t mask, std::uint64_t* addresses);
  void access_cluster(const code::Instruction& instruction, const code::Access& access,
                      std::uint32_t mask, std::uint64_t* addresses);
  void frame_access(const code::Access& access, std::uint32_t mask);
  template <bool for_update>
  void ask_for(std::uint32_t lanes, const std::uint64_t* addresses) const;
  void ask_ahead(std::uint64_t next, std::uint64_t step, unsigned bytes) const;
  void move_data(const code::Access& access, std::uint32_t mask, const std::uint64_t* addresses,
                 std::uint64_t host, unsigned together);
  void move_own(const code::Instruction& instruction, const code::Access& access, code::Space space,
                std::uint32_t mask, const std::uint64_t* places, std::uint64_t host);

  RunnerState& here_;
  Parts parts_;
  std::vector<watch::SeenAddresses> seen_;  ///< per site
  watch::AddressShape::Pattern latest_pattern_ = watch::AddressShape::no_pattern;
};

}  // namespace warpwise::machine
