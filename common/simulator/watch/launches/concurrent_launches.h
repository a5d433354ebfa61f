#pragma once
#include <memory>
#include <vector>

#include "simulator/watch/launches/late_accesses.h"
#include "simulator/watch/launches/unordered_with_launches.h"

namespace warpwise::watch {

/// Memory that the threads of a grid touch unordered with the launches that they make: what its
/// launcher touches later, and what others touch that does not come before.
class ConcurrentLaunches {
 public:
  /// The record of one launch; null where it is not followed. Complete once finish() was called.
  struct Recorded {
    std::shared_ptr<Footprint> late, concurrent;
  };

  /// @param cell_shift log2 of the bytes in which stored values are compared.
  explicit ConcurrentLaunches(unsigned cell_shift) : late_(cell_shift), unordered_(cell_shift) {}

  /// The lane launches.
  Recorded launches(const HappensBefore& order, unsigned warp, unsigned lane) {
    return {late_.launches(order, warp, lane), unordered_.launches(order, warp, lane)};
  }
  /// @param values of a store. @param are_known false where it is not known what is stored.
  void access(const HappensBefore& order, unsigned warp, const AccessEvent& event,
              const StoredValues& values, bool are_known) {
    late_.access(order, warp, event, values, are_known);
    unordered_.access(order, warp, event, values, are_known);
  }
  /// All that is past comes before what any thread does from now on, and none will know of it.
  void forget(const VectorClock& past) { unordered_.forget(past); }
  /// Ends all recordings. @param lines of the source, by site.
  void finish(const std::vector<unsigned>& lines) {
    late_.finish(lines);
    unordered_.finish(lines);
  }

 private:
  LateAccesses late_;
  UnorderedWithLaunches unordered_;
};

}  // namespace warpwise::watch
