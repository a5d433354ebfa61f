#pragma once
#include <cstdint>
#include <vector>

#include "simulator/machine/copies/copies_in_flight.h"
#include "simulator/watch/order/happens_before.h"

namespace warpwise::machine {

/// The bytes in a block's shared memory from copies whose phase of an mbarrier has ended. Only a
/// thread that has seen the end knows that the bytes are there, and one that something orders after
/// such a thread: for another the copy may still be in flight.
class ArrivedCopies {
 public:
  struct Hit {
    unsigned lane = 0;                           ///< of the access
    const CopiesInFlight::Copy* copy = nullptr;  ///< null: none
    unsigned seen_by = 0;                        ///< a thread of the block that has seen the end
  };

  void start_block() { phases_.clear(); }
  bool any() const { return !phases_.empty(); }

  /// A copy begins: what came to the same place before it is over.
  void begin(const CopiesInFlight::Copy& copy);
  /// Lanes' copies have come with the phase that is about to be seen.
  void add(const CopiesInFlight::Copy& copy, std::uint32_t lanes);
  /// Lanes of a warp have seen that the mbarrier's phase ended, and so all phases before it.
  void see(const watch::HappensBefore& order, std::uint32_t barrier, unsigned warp,
           std::uint32_t lanes);

  /// An access by lanes that nothing orders after a thread which has seen the end.
  /// @param lowest, highest of the addresses.
  Hit unseen(const watch::HappensBefore& order, unsigned warp, std::uint32_t mask,
             const std::uint64_t* addresses, unsigned bytes, bool is_atomic, std::uint64_t lowest,
             std::uint64_t highest) const;

 private:
  /// Bytes side by side.
  struct Piece {
    std::uint32_t first, above;
    bool updates;
  };
  struct Seen {
    unsigned warp;
    std::uint32_t lanes, clock;
  };
  struct Phase {
    CopiesInFlight::Copy copy;  ///< the first of them
    std::uint32_t first, above;
    bool is_open = true;  ///< its end is being seen for the first time
    std::vector<Piece> pieces;
    std::vector<Seen> seen;
  };

  /// Forgets what all threads of the block know to be there.
  void forget(const watch::HappensBefore& order);
  static bool touches(const Phase& phase, std::uint64_t first, std::uint64_t above, bool is_atomic);
  static std::uint32_t unseen_by(const Phase& phase, const watch::HappensBefore& order,
                                 unsigned warp, std::uint32_t lanes);

  std::vector<Phase> phases_;
};

}  // namespace warpwise::machine
