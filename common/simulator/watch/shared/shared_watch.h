#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/watch/cells/cell_owners.h"
#include "simulator/watch/order/backoff.h"
#include "simulator/watch/order/epoch.h"
#include "simulator/watch/order/happens_before.h"
#include "simulator/watch/shared/shared_races.h"

namespace warpwise::watch {

/// Watches the shared memory of a block. Between two barriers a first look is mostly enough: each
/// cell has an owner. All accesses since the barrier are kept in a log, and replayed to the close
/// check where a cell has several.
class SharedWatch {
 public:
  /// As SharedRaces has them.
  SharedWatch(HappensBefore& order, std::uint32_t base, std::uint32_t bytes, unsigned cell_shift);

  /// The next block starts; the order has started it already.
  void start_block() { races_.start_block(); }
  /// Checks and records. Call before a store changes the memory.
  std::optional<SharedRaces::Race> access(unsigned warp, const AccessEvent& event,
                                          const SharedRaces::StoresSameValue& same);
  /// After a strong access of which only parts were checked, or nothing.
  void synchronize(unsigned warp, const AccessEvent& event) { races_.synchronize(warp, event); }

 private:
  /// An access in the log.
  struct Entry {
    std::uint32_t site, mask;
    Epoch epoch;
    std::uint16_t warp;
    std::uint8_t bytes;
    bool is_store, is_atomic, is_strong, is_narrow;
    std::uint16_t cells[32];  ///< the first of each lane
  };

  bool look(unsigned warp, const AccessEvent& event, const Epoch& epoch);
  bool own(unsigned warp, const AccessEvent& event, const std::uint16_t* cells);
  void go_on(const Epoch& epoch);
  void look_closely();

  /// Longer logs, and larger memories, are not worth it.
  static constexpr std::size_t most_entries = 1 << 13, most_cells = 1 << 16;
  static constexpr unsigned most_bytes = 16;

  HappensBefore& order_;
  SharedRaces races_;
  std::uint32_t base_;
  unsigned shift_;  ///< log2 of a cell's bytes
  std::vector<CellOwner> owners_;
  unsigned first_ = 0, end_ = 0;  ///< cells that may have one
  std::vector<Entry> log_;        ///< of a first look, since all warps met
  std::uint32_t latest_ = 0;      ///< clock of an access
  bool is_close_ = false;         ///< since all warps met: no first look
  Backoff backoff_{1024};         ///< between barriers
};

}  // namespace warpwise::watch
