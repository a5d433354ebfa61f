#pragma once
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "simulator/watch/launches/footprint_recorder.h"
#include "simulator/watch/order/happens_before.h"

namespace warpwise::watch {

/// The memory that the threads of a grid touch and that does not come before a launch that one of
/// them makes. The grid that is launched sees what its launcher did, and what others did before by
/// the order that barriers and fences make; whatever else they do is unordered with it.
class UnorderedWithLaunches {
 public:
  /// Accesses that are kept; of a grid with more, no launch is followed.
  static constexpr std::size_t most_kept = 1 << 20;
  /// Accesses that are looked at for all launches together; later launches are not followed.
  static constexpr std::size_t most_looks = 4 << 20;

  /// @param cell_shift log2 of the bytes in which stored values are compared.
  explicit UnorderedWithLaunches(unsigned cell_shift) : shift_(cell_shift) {}

  /// The lane launches. @return what does not come before that; null where it is not followed.
  /// Complete once finish() was called.
  std::shared_ptr<Footprint> launches(const HappensBefore& order, unsigned warp, unsigned lane);
  /// @param values of a store. @param are_known false where it is not known what is stored.
  void access(const HappensBefore& order, unsigned warp, const AccessEvent& event,
              const StoredValues& values, bool are_known);
  /// All that is past comes before what any thread does from now on, and none will know of it.
  void forget(const VectorClock& past);
  /// Ends all recordings. @param lines of the source, by site.
  void finish(const std::vector<unsigned>& lines);

 private:
  struct Kept {
    LineAccess::Kind kind;
    Footprint::Piece piece;
    std::uint64_t warp;  ///< in the grid
    std::uint32_t clock;
    std::uint32_t lanes;
    std::uint32_t not_past;  ///< of these
    unsigned bytes;          ///< of a lane
  };
  /// Lanes of an access in front, in the order in which things ran, that nothing orders there.
  struct InFront {
    std::uint32_t index, lanes;
  };
  struct Launch {
    std::vector<InFront> in_front;
    std::size_t behind;  ///< the first of the accesses that ran later
    std::shared_ptr<Footprint> footprint;
  };

  bool may_look(std::size_t accesses);
  std::uint32_t unordered(const Kept& kept, const HappensBefore& order, unsigned warp,
                          unsigned lane) const;
  void add(const Kept& kept, std::uint32_t lanes, Footprint& to) const;

  unsigned shift_;
  std::size_t looks_ = 0;
  bool are_too_many_ = false;
  std::vector<Kept> kept_;
  std::vector<std::uint16_t> hashes_;
  std::vector<Launch> launches_;
};

}  // namespace warpwise::watch
