#include "simulator/watch/launches/late_accesses.h"

namespace warpwise::watch {

std::shared_ptr<Footprint> LateAccesses::launches(const HappensBefore& order, unsigned warp,
                                                  unsigned lane) {
  std::vector<Launch>& of_block = launches_[order.block()];
  if (of_block.size() == most_followed) return nullptr;
  of_block.push_back(
      {warp, lane, order.clock(warp), FootprintRecorder(shift_), std::make_shared<Footprint>()});
  return of_block.back().late;
}

/// Those of the lanes that come after the launch.
std::uint32_t LateAccesses::Launch::lanes_behind(const HappensBefore& order, unsigned warp_of_lanes,
                                                 std::uint32_t lanes) const {
  const std::uint32_t own = warp_of_lanes == warp ? lanes & 1u << lane : 0;
  return own | (lanes & ~order.unordered(warp_of_lanes, lanes, warp, lane, clock));
}

void LateAccesses::access(const HappensBefore& order, unsigned warp, const AccessEvent& event,
                          const StoredValues& values, bool are_known) {
  const auto of_block = launches_.find(order.block());
  if (of_block == launches_.end()) return;
  for (Launch& launch : of_block->second) {
    const std::uint32_t lanes = launch.lanes_behind(order, warp, event.mask);
    if (lanes != 0) launch.recorder.access(order.block(), warp, event, lanes, values, are_known);
  }
}

void LateAccesses::finish(const std::vector<unsigned>& lines) {
  for (auto& [block, launches] : launches_)
    for (Launch& launch : launches) *launch.late = launch.recorder.finish(lines);
}

}  // namespace warpwise::watch
