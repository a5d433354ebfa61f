#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "simulator/watch/cells/access_event.h"
#include "simulator/watch/global/stored_values.h"
#include "simulator/watch/launches/footprint_recorder.h"
#include "simulator/watch/order/happens_before.h"

namespace warpwise::watch {

/// The memory that a launch touches before it has waited for the previous launch, next to which it
/// may run until then (cudaGridDependencySynchronize). An access after the wait of any thread of
/// the block, in the order that barriers make, is not early.
class EarlyAccesses {
 public:
  /// @param cell_shift log2 of the bytes in which stored values are compared.
  /// @param has_one_history blocks may synchronise: then nothing is early once one thread of the
  /// launch has waited.
  EarlyAccesses(unsigned cell_shift, bool has_one_history)
      : has_one_history_(has_one_history), recorder_(cell_shift) {}

  void start_block() {
    if (!has_one_history_) waits_.clear();
  }
  /// The lanes have waited.
  void wait(const HappensBefore& order, unsigned warp, std::uint32_t lanes);
  /// The lanes let the next launch begin.
  void let_dependents_begin(const HappensBefore& order, unsigned warp, std::uint32_t lanes) {
    was_early_to_let_begin_ |= early_lanes(order, warp, lanes) != 0;
  }
  /// True where a thread did so before it had waited.
  bool was_early_to_let_begin() const { return was_early_to_let_begin_; }
  /// @param values of a store. @param are_known false where it is not known what is stored.
  void access(const HappensBefore& order, unsigned warp, const AccessEvent& event,
              const StoredValues& values, bool are_known);
  /// Ends the recording. @param lines of the source, by site.
  Footprint finish(std::vector<unsigned> lines) { return recorder_.finish(std::move(lines)); }

 private:
  struct Wait {
    unsigned warp;
    std::uint32_t lanes, clock;
  };

  std::uint32_t early_lanes(const HappensBefore& order, unsigned warp, std::uint32_t lanes) const;

  bool has_one_history_;
  std::vector<Wait> waits_;  ///< of the block
  FootprintRecorder recorder_;
  bool was_early_to_let_begin_ = false;
};

}  // namespace warpwise::watch
