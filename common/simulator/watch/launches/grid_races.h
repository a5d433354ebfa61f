#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "simulator/watch/global/global_races.h"
#include "simulator/watch/order/happens_before.h"

namespace warpwise::watch {

/// Races in global memory of a launch whose blocks have one history: they run in turns, and may
/// synchronise through memory.
///
/// All that comes before a barrier of the whole grid is forgotten: no access from then on races
/// with it. The program does not say that such a barrier was passed; it follows from what blocks
/// know of each other. From the first block that has passed it there are two ages. Accesses of the
/// new one are compared with the old one only where their block has not passed yet; once all have,
/// the old one is forgotten.
class GridRaces {
 public:
  using Race = GlobalRaces::Race;

  /// @param cell_shift as GlobalRaces has it. @param blocks of the grid. @param warps of a block.
  /// @param forgets false where an access may race with what comes before a barrier, as a load by a
  /// cache that does not see stores does.
  GridRaces(unsigned cell_shift, std::uint64_t blocks, unsigned warps, bool forgets);

  /// As GlobalRaces has it.
  void end_when(const std::atomic<bool>* is_over);
  void start_block(std::uint64_t block);
  void finish_block(std::uint64_t block);
  /// All threads of the block have met at a barrier.
  /// @return what is now forgotten: from now on no thread need know that it came before. Null:
  /// nothing.
  VectorClock::Shared meet(const HappensBefore& order);
  /// Checks and records, as GlobalRaces does.
  std::optional<Race> access(HappensBefore& order, unsigned warp, const AccessEvent& event,
                             const AddressShape& shape, const StoredValues& values);
  /// Barriers of the grid before which all has been forgotten.
  std::uint64_t forgotten() const { return forgotten_; }

 private:
  struct Block {
    std::uint32_t latest_plain = 0;  ///< clock of such an access in this age
    bool has_started = false, runs = false;
    bool has_passed = false;  ///< the barrier that ended the old age
  };
  VectorClock::Shared forget_if_passed();
  bool has_plain_beyond(const VectorClock& known);

  unsigned warps_;
  bool forgets_;
  HappensBefore nothing_known_;
  std::vector<Block> blocks_;
  std::uint64_t not_started_;
  std::uint64_t beyond_ = 0;    ///< a block that had accesses of which one that met did not know
  std::uint64_t accesses_ = 0;  ///< of this age
  std::uint64_t forgotten_ = 0;
  std::unique_ptr<GlobalRaces> races_, old_;
  VectorClock::Shared barrier_;  ///< what comes before the end of the old age; null: there is none
};

}  // namespace warpwise::watch
