#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "simulator/watch/cells/access_event.h"
#include "simulator/watch/global/stored_values.h"
#include "simulator/watch/launches/footprint_recorder.h"
#include "simulator/watch/order/happens_before.h"

namespace warpwise::watch {

/// The memory that the threads of a grid touch after they have launched another: nothing orders
/// that with what the other does. That holds for the thread that launches, and for threads that
/// come after it by a barrier.
class LateAccesses {
 public:
  /// Launches of a block that are followed; later ones are not.
  static constexpr std::size_t most_followed = 32;

  /// @param cell_shift log2 of the bytes in which stored values are compared.
  explicit LateAccesses(unsigned cell_shift) : shift_(cell_shift) {}

  /// The lane launches. @return the recording of what is late for that; null where it is not
  /// followed. Complete once finish() was called.
  std::shared_ptr<Footprint> launches(const HappensBefore& order, unsigned warp, unsigned lane);
  /// @param values of a store. @param are_known false where it is not known what is stored.
  void access(const HappensBefore& order, unsigned warp, const AccessEvent& event,
              const StoredValues& values, bool are_known);
  /// Ends all recordings. @param lines of the source, by site.
  void finish(const std::vector<unsigned>& lines);

 private:
  struct Launch {
    unsigned warp, lane;
    std::uint32_t clock;
    FootprintRecorder recorder;
    std::shared_ptr<Footprint> late;

    std::uint32_t lanes_behind(const HappensBefore& order, unsigned warp_of_lanes,
                               std::uint32_t lanes) const;
  };

  unsigned shift_;
  std::map<std::uint64_t, std::vector<Launch>> launches_;  ///< by block
};

}  // namespace warpwise::watch
