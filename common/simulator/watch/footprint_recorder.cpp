#include "simulator/watch/footprint_recorder.h"

#include <bit>
#include <utility>

namespace warpwise::watch {

void FootprintRecorder::access(std::uint64_t block, unsigned warp, const AccessEvent& event,
                               std::uint32_t lanes, const StoredValues& values, bool are_known) {
  const Contact::Kind kind = kind_of(event);
  const unsigned cell_bytes = 1u << shift_;
  const bool has_values = kind == Contact::write && are_known;
  Footprint::Piece piece;
  std::vector<std::uint16_t> hashes;
  const auto add = [&] {
    if (piece.end != piece.begin) footprint_.add(kind, piece, has_values ? hashes.data() : nullptr);
    hashes.clear();
  };
  for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    const std::uint64_t begin = event.addresses[lane];
    const auto thread = static_cast<std::uint16_t>(warp * 32 + lane);
    const bool is_same = begin >= piece.begin && begin + event.bytes <= piece.end;
    if (is_same && !has_values) continue;
    if (begin != piece.end || piece.end == piece.begin) {
      add();
      piece.begin = begin;
      piece.site = event.site;
      piece.block = static_cast<std::uint32_t>(block);
      piece.first_thread = thread;
    }
    piece.end = begin + event.bytes;
    piece.last_thread = thread;
    for (unsigned offset = 0; has_values && offset < event.bytes; offset += cell_bytes)
      hashes.push_back(values.hash(values.stored(lane, offset, cell_bytes)));
  }
  add();
}

Footprint FootprintRecorder::finish(std::vector<unsigned> lines) {
  footprint_.complete(std::move(lines));
  return std::move(footprint_);
}

}  // namespace warpwise::watch
