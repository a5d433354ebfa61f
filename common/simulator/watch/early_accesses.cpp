#include "simulator/watch/early_accesses.h"

#include <bit>
#include <utility>

namespace warpwise::watch {

void EarlyAccesses::wait(const HappensBefore& order, unsigned warp, std::uint32_t lanes) {
  waits_.push_back({warp, lanes, order.clock(warp)});
}

/// Lanes of the mask that come behind no wait.
std::uint32_t EarlyAccesses::early_lanes(const HappensBefore& order, unsigned warp,
                                         std::uint32_t lanes) const {
  if (has_one_history_) return waits_.empty() ? lanes : 0;
  for (const Wait& wait : waits_) {
    if (wait.warp == warp) lanes &= ~wait.lanes;
    for (std::uint32_t left = wait.lanes; left != 0 && lanes != 0; left &= left - 1)
      lanes = order.unordered(warp, lanes, wait.warp, static_cast<unsigned>(std::countr_zero(left)),
                              wait.clock);
    if (lanes == 0) break;
  }
  return lanes;
}

void EarlyAccesses::access(const HappensBefore& order, unsigned warp, const AccessEvent& event,
                           const StoredValues& values, bool are_known) {
  const std::uint32_t lanes = early_lanes(order, warp, event.mask);
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
      piece.block = static_cast<std::uint32_t>(order.block());
      piece.first_thread = thread;
    }
    piece.end = begin + event.bytes;
    piece.last_thread = thread;
    for (unsigned offset = 0; has_values && offset < event.bytes; offset += cell_bytes)
      hashes.push_back(values.hash(values.stored(lane, offset, cell_bytes)));
  }
  add();
}

Footprint EarlyAccesses::finish(std::vector<unsigned> lines) {
  footprint_.complete(std::move(lines));
  return std::move(footprint_);
}

}  // namespace warpwise::watch
