#include "simulator/watch/launches/footprint_recorder.h"

#include <utility>

namespace warpwise::watch {

void FootprintRecorder::access(std::uint64_t block, unsigned warp, const AccessEvent& event,
                               std::uint32_t lanes, const StoredValues& values, bool are_known) {
  visit_pieces(block, warp, event, lanes, values, are_known, shift_,
               [&](LineAccess::Kind kind, const Footprint::Piece& piece, std::uint32_t,
                   const std::uint16_t* hashes) { footprint_.add(kind, piece, hashes); });
}

Footprint FootprintRecorder::finish(std::vector<unsigned> lines) {
  footprint_.complete(std::move(lines));
  return std::move(footprint_);
}

}  // namespace warpwise::watch
