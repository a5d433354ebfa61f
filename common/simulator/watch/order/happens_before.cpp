#include "simulator/watch/order/happens_before.h"

#include <algorithm>
#include <utility>

namespace warpwise::watch {

void SyncPoints::forget(Forgetting& forgetting) {
  for (auto& [address, point] : points_)
    for (VectorClock::Shared& known : point.by_scope) known = forgetting.rest(known);
}

HappensBefore::HappensBefore(unsigned warps)
    : clock_(warps, 1),
      whole_sync_(warps, 0),
      others_floor_(warps, warps == 1 ? ~0u : 0),
      known_(std::size_t{warps} * warps, 0),
      lanes_(warps),
      bases_(warps) {}

/// All that an earlier block did comes before a barrier: cheaper than to forget it access by
/// access.
void HappensBefore::start_block(std::uint64_t block) {
  for (Arrival& arrival : arrivals_) arrival = {};
  if (any_through_memory_)
    for (auto& lanes : lanes_) lanes.reset();
  any_through_memory_ = false;
  block_barrier(all_lanes);
  partial_.clear();
  block_ = block;
}

void HappensBefore::arrive(std::uint32_t warps, unsigned id) {
  std::size_t count = clock_.size();
  Arrival& arrival = arrivals_[id];
  arrival.known.resize(count, 0);
  Lanes::Alike added;  // by the warp before
  for (unsigned w = 0; w < count; ++w) {
    if (!(warps >> w & 1)) continue;
    for (unsigned v = 0; v < count; ++v) arrival.known[v] = std::max(arrival.known[v], known(w)[v]);
    arrival.known[w] = std::max(arrival.known[w], clock_[w]);
    if (lanes_[w]) {
      const std::uint32_t apart = lanes_[w]->apart();
      add_to(arrival.joined, w, lanes_[w]->alike() == added ? apart : all_lanes);
      if (apart != all_lanes) added = lanes_[w]->alike();
    }
    ++clock_[w];
  }
}

void HappensBefore::block_barrier(std::uint32_t warps, unsigned id) {
  arrive(warps, id);
  std::size_t count = clock_.size();
  Arrival& arrival = arrivals_[id];
  // One clock for all that met: then one comparison tells what comes before the barrier.
  std::uint32_t now = 0;
  for (unsigned w = 0; w < count; ++w)
    if (warps >> w & 1) now = std::max(now, clock_[w]);
  for (unsigned w = 0; w < count; ++w)
    if (warps >> w & 1) clock_[w] = now, arrival.known[w] = now - 1;
  const auto joined = any_through_memory_
                          ? std::make_shared<const Lane>(std::exchange(arrival.joined, {}))
                          : nullptr;
  for (unsigned w = 0; w < count; ++w) {
    if (!(warps >> w & 1)) continue;
    std::copy(arrival.known.begin(), arrival.known.end(), knows(w));
    whole_sync_[w] = now - 1;
    find_floor(w);
    bases_[w].reset();
    if (joined) give(w, all_lanes, joined);
  }
  find_common_floor();
  std::fill(arrival.known.begin(), arrival.known.end(), 0);
}

void HappensBefore::meet(const std::vector<HappensBefore*>& blocks) {
  VectorClock::Shared joined;
  for (HappensBefore* block : blocks) {
    block->block_barrier(all_lanes);
    VectorClock::learn(joined, block->base(0));
    if (block->lanes_[0]) VectorClock::learn(joined, (*block->lanes_[0])[0].learned);
  }
  for (HappensBefore* block : blocks)
    for (unsigned warp = 0; warp < block->warps(); ++warp) {
      Lanes& lanes = block->lanes_of(warp);
      auto all = std::make_shared<Lane>(lanes.common());
      VectorClock::learn(all->learned, joined);
      lanes.set_all(std::move(all));
    }
}

void HappensBefore::warp_barrier(unsigned warp, std::uint32_t lanes, bool all) {
  if (lanes_[warp]) {
    auto joined = std::make_shared<Lane>();
    add_to(*joined, warp, lanes);
    give(warp, lanes, std::move(joined));
  }
  if (all) {
    bases_[warp].reset();
    whole_sync_[warp] = clock_[warp]++;
    if (warps() == 1) find_common_floor();
    return;
  }
  LaneClocks& clocks = partial_[warp];
  std::uint32_t joined[32] = {};
  for (unsigned a = 0; a < 32; ++a)
    if (lanes >> a & 1)
      for (unsigned b = 0; b < 32; ++b)
        joined[b] = std::max(joined[b], lanes >> b & 1 ? clock_[warp] : clocks.known[a][b]);
  for (unsigned a = 0; a < 32; ++a)
    if (lanes >> a & 1) std::copy(joined, joined + 32, clocks.known[a]);
  ++clock_[warp];
}

void HappensBefore::publish_at(Published& place, unsigned warp, std::uint32_t lanes, bool all) {
  if (all) {
    place.known.resize(clock_.size(), 0);
    for (unsigned v = 0; v < clock_.size(); ++v)
      place.known[v] = std::max(place.known[v], v == warp ? clock_[v] : known(warp)[v]);
    if (lanes_[warp])
      for_lanes(lanes, [&](unsigned lane) {
        VectorClock::learn(place.learned, (*lanes_[warp])[lane].learned);
      });
  } else {
    for_lanes(lanes, [&](unsigned lane) {
      VectorClock::learn(place.learned, put_together(warp, 1u << lane, fence_now(warp, lane)));
    });
  }
  ++clock_[warp];
}

void HappensBefore::acquire_from(const Published& place, unsigned warp, std::uint32_t lanes,
                                 bool all) {
  VectorClock::Shared learned = place.learned;
  if (all) {
    for (unsigned v = 0; v < place.known.size(); ++v) {
      std::uint32_t& known = v == warp ? whole_sync_[v] : knows(warp)[v];
      known = std::max(known, place.known[v]);
    }
    bases_[warp].reset();
    find_floor(warp);
  } else {
    auto whole = std::make_shared<VectorClock>();
    for (unsigned v = 0; v < place.known.size(); ++v)
      whole->append(in_grid(v), VectorClock::every_lane, place.known[v]);
    VectorClock::learn(learned, whole);
  }
  if (!learned) return;
  Lanes& each = lanes_of(warp);
  for_lanes(lanes, [&](unsigned lane) { VectorClock::learn(each.one(lane).learned, learned); });
}

void HappensBefore::find_floor(unsigned warp) {
  std::uint32_t least = ~0u;
  for (unsigned other = 0; other < clock_.size(); ++other)
    if (other != warp) least = std::min(least, known(warp)[other]);
  others_floor_[warp] = least;
}

/// Not to know of a later one does no harm.
void HappensBefore::find_common_floor() {
  std::uint32_t least = ~0u;
  for (unsigned warp = 0; warp < warps(); ++warp) least = std::min(least, floor(warp));
  earlier_common_floor_ = common_floor_;
  common_floor_ = least;
}

VectorClock::Shared HappensBefore::known_to_all(std::uint32_t own) const {
  if (!lanes_[0]) return nullptr;
  const VectorClock::Shared& learned = (*lanes_[0])[0].learned;
  if (!learned) return nullptr;
  auto of_block = std::make_shared<VectorClock>();
  for (unsigned warp = 0; warp < warps(); ++warp)
    of_block->append(in_grid(warp), VectorClock::every_lane, own);
  return VectorClock::join(learned, of_block);
}

void HappensBefore::forget(Forgetting& forgetting) {
  const auto forget = [&](Lane& lane) {
    lane.learned = forgetting.rest(lane.learned);
    for (VectorClock::Shared& seen : lane.seen) seen = forgetting.rest(seen);
    for (Fenced& fenced : lane.fenced) {
      fenced.learned = forgetting.rest(fenced.learned);
      fenced.of_block = forgetting.rest(fenced.of_block);
      fenced.ready = nullptr;
    }
  };
  Lanes::Alike before, after;  // warps that met share one
  for (const auto& lanes : lanes_) {
    if (!lanes) continue;
    lanes->change_apart(forget);
    if (lanes->alike() != before) {
      before = lanes->alike();
      auto changed = std::make_shared<Lane>(*before);
      forget(*changed);
      after = std::move(changed);
    }
    if (before) lanes->set_alike(after);
  }
}

std::uint32_t HappensBefore::unordered(unsigned warp, std::uint32_t lanes, unsigned other_warp,
                                       unsigned other_lane, std::uint32_t clock) const {
  std::uint32_t result = 0;
  if (warp != other_warp) {
    result = known(warp)[other_warp] >= clock ? 0 : lanes;
  } else if (clock > whole_sync_[warp]) {
    result = lanes & ~(1u << other_lane);
    auto partial = partial_.find(warp);
    if (partial != partial_.end())
      for_lanes(result, [&](unsigned lane) {
        if (partial->second.known[lane][other_lane] >= clock) result &= ~(1u << lane);
      });
  }
  return result & ~that_learned(warp, result, in_grid(other_warp), other_lane, clock);
}

/// Lanes that know by memory that the access comes before what they do.
std::uint32_t HappensBefore::that_learned(unsigned warp, std::uint32_t lanes,
                                          std::uint64_t other_warp, unsigned other_lane,
                                          std::uint32_t clock) const {
  if (!lanes_[warp] || !lanes) return 0;
  const Lanes& all = *lanes_[warp];
  const auto knows = [&](const Lane& lane) {
    return lane.learned && lane.learned->covers(other_warp, other_lane, clock);
  };
  const std::uint32_t alike = lanes & ~all.apart();
  std::uint32_t result = alike && knows(all.common()) ? alike : 0;
  for_lanes(lanes & all.apart(), [&](unsigned lane) {
    if (knows(all[lane])) result |= 1u << lane;
  });
  return result;
}

std::uint32_t HappensBefore::unordered_in_grid(unsigned warp, std::uint32_t lanes,
                                               std::uint64_t other_warp, unsigned other_lane,
                                               std::uint32_t clock) const {
  if (other_warp / clock_.size() == block_)
    return unordered(warp, lanes, static_cast<unsigned>(other_warp % clock_.size()), other_lane,
                     clock);
  return lanes & ~that_learned(warp, lanes, other_warp, other_lane, clock);
}

}  // namespace warpwise::watch
