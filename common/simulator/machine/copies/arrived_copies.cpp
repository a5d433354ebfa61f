#include "simulator/machine/copies/arrived_copies.h"

#include <algorithm>
#include <bit>

#include "simulator/machine/warp/lanes.h"

namespace warpwise::machine {

void ArrivedCopies::begin(const CopiesInFlight::Copy& copy) {
  if (copy.only_reads) return;
  for_lanes(copy.lanes, [&](unsigned lane) {
    const std::uint32_t first = copy.at[lane], above = first + copy.bytes;
    for (Phase& phase : phases_)
      if (first < phase.above && phase.first < above)
        std::erase_if(phase.pieces, [&](const Piece& piece) {
          return first <= piece.first && piece.above <= above;
        });
  });
  std::erase_if(phases_, [](const Phase& phase) { return phase.pieces.empty(); });
}

void ArrivedCopies::add(const CopiesInFlight::Copy& copy, std::uint32_t lanes) {
  const auto of_phase = [&](const Phase& phase) {
    return phase.is_open && phase.copy.barrier == copy.barrier;
  };
  auto phase = std::find_if(phases_.begin(), phases_.end(), of_phase);
  if (phase == phases_.end()) {
    phases_.push_back({copy, ~0u, 0, true, {}, {}});
    phase = std::prev(phases_.end());
  }
  for_lanes(lanes, [&](unsigned lane) {
    const std::uint32_t first = copy.at[lane], above = first + copy.bytes;
    phase->first = std::min(phase->first, first);
    phase->above = std::max(phase->above, above);
    const bool goes_on = !phase->pieces.empty() && phase->pieces.back().above == first &&
                         phase->pieces.back().updates == copy.updates;
    if (goes_on)
      phase->pieces.back().above = above;
    else
      phase->pieces.push_back({first, above, copy.updates});
  });
}

void ArrivedCopies::see(const watch::HappensBefore& order, std::uint32_t barrier, unsigned warp,
                        std::uint32_t lanes) {
  forget(order);
  for (Phase& phase : phases_) {
    if (phase.copy.barrier != barrier) continue;
    phase.is_open = false;
    std::uint32_t first_time = lanes;
    for (const Seen& seen : phase.seen)
      if (seen.warp == warp) first_time &= ~seen.lanes;
    if (first_time) phase.seen.push_back({warp, first_time, order.clock(warp)});
  }
}

void ArrivedCopies::forget(const watch::HappensBefore& order) {
  std::erase_if(phases_, [&](const Phase& phase) {
    return !phase.seen.empty() && phase.seen.front().clock <= order.common_floor();
  });
}

bool ArrivedCopies::touches(const Phase& phase, std::uint64_t first, std::uint64_t above,
                            bool is_atomic) {
  if (first >= phase.above || above <= phase.first) return false;
  return std::any_of(phase.pieces.begin(), phase.pieces.end(), [&](const Piece& piece) {
    return first < piece.above && piece.first < above && !(is_atomic && piece.updates);
  });
}

/// Those of the lanes that come after no thread which has seen the end.
std::uint32_t ArrivedCopies::unseen_by(const Phase& phase, const watch::HappensBefore& order,
                                       unsigned warp, std::uint32_t lanes) {
  if (phase.seen.front().clock <= order.floor(warp)) return 0;
  for (const Seen& seen : phase.seen)
    if (seen.warp == warp) lanes &= ~seen.lanes;
  for (const Seen& seen : phase.seen) {
    if (!lanes) break;
    for_lanes(seen.lanes, [&](unsigned other) {
      if (lanes) lanes = order.unordered(warp, lanes, seen.warp, other, seen.clock);
    });
  }
  return lanes;
}

ArrivedCopies::Hit ArrivedCopies::unseen(const watch::HappensBefore& order, unsigned warp,
                                         std::uint32_t mask, const std::uint64_t* addresses,
                                         unsigned bytes, bool is_atomic, std::uint64_t lowest,
                                         std::uint64_t highest) const {
  for (const Phase& phase : phases_) {
    if (phase.seen.empty() || !touches(phase, lowest, highest + bytes, is_atomic)) continue;
    std::uint32_t lanes = unseen_by(phase, order, warp, mask);
    for (; lanes; lanes &= lanes - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
      if (!touches(phase, addresses[lane], addresses[lane] + bytes, is_atomic)) continue;
      const Seen& first = phase.seen.front();
      return {lane, &phase.copy,
              first.warp * 32 + static_cast<unsigned>(std::countr_zero(first.lanes))};
    }
  }
  return {};
}

}  // namespace warpwise::machine
