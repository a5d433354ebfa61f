#include "simulator/watch/happens_before.h"

#include <algorithm>
#include <bit>

namespace warpwise::watch {
namespace {

using code::Order;
using code::Scope;

constexpr std::uint32_t all_lanes = ~0u;

bool acquires(Order order) { return order == Order::acquire || order == Order::acquire_release; }
bool releases(Order order) { return order == Order::release || order == Order::acquire_release; }

void learn(Knowledge::Shared& into, const Knowledge::Shared& more) {
  if (more && into != more) into = Knowledge::join(into, more);
}

template <class Visit>
void for_lanes(std::uint32_t mask, Visit visit) {
  for (; mask; mask &= mask - 1) visit(static_cast<unsigned>(std::countr_zero(mask)));
}

}  // namespace

void SyncPoints::forget(Forgetting& forgetting) {
  for (auto& [address, point] : points_)
    for (Knowledge::Shared& known : point.by_scope) known = forgetting.rest(known);
}

HappensBefore::HappensBefore(unsigned warps)
    : clock_(warps, 1),
      whole_sync_(warps, 0),
      others_floor_(warps, warps == 1 ? ~0u : 0),
      known_(std::size_t{warps} * warps, 0),
      lanes_(warps),
      bases_(warps) {}

/// What an earlier block did lies behind a barrier: cheaper than to forget it access by access.
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
  // One clock for all that met: then one comparison tells what lies behind the barrier.
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
  Knowledge::Shared joined;
  for (HappensBefore* block : blocks) {
    block->block_barrier(all_lanes);
    learn(joined, block->base(0));
    if (block->lanes_[0]) learn(joined, (*block->lanes_[0])[0].learned);
  }
  for (HappensBefore* block : blocks)
    for (unsigned warp = 0; warp < block->warps(); ++warp) {
      Lanes& lanes = block->lanes_of(warp);
      auto all = std::make_shared<Lane>(lanes.common());
      learn(all->learned, joined);
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
      for_lanes(lanes, [&](unsigned lane) { learn(place.learned, (*lanes_[warp])[lane].learned); });
  } else {
    for_lanes(lanes, [&](unsigned lane) {
      learn(place.learned, put_together(warp, 1u << lane, fence_now(warp, lane)));
    });
  }
  ++clock_[warp];
}

void HappensBefore::acquire_from(const Published& place, unsigned warp, std::uint32_t lanes,
                                 bool all) {
  Knowledge::Shared learned = place.learned;
  if (all) {
    for (unsigned v = 0; v < place.known.size(); ++v) {
      std::uint32_t& known = v == warp ? whole_sync_[v] : knows(warp)[v];
      known = std::max(known, place.known[v]);
    }
    bases_[warp].reset();
    find_floor(warp);
  } else {
    auto whole = std::make_shared<Knowledge>();
    for (unsigned v = 0; v < place.known.size(); ++v)
      whole->append(in_grid(v), Knowledge::every_lane, place.known[v]);
    learn(learned, whole);
  }
  if (!learned) return;
  Lanes& each = lanes_of(warp);
  for_lanes(lanes, [&](unsigned lane) { learn(each.one(lane).learned, learned); });
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

Knowledge::Shared HappensBefore::known_to_all(std::uint32_t own) const {
  if (!lanes_[0]) return nullptr;
  const Knowledge::Shared& learned = (*lanes_[0])[0].learned;
  if (!learned) return nullptr;
  auto of_block = std::make_shared<Knowledge>();
  for (unsigned warp = 0; warp < warps(); ++warp)
    of_block->append(in_grid(warp), Knowledge::every_lane, own);
  return Knowledge::join(learned, of_block);
}

void HappensBefore::forget(Forgetting& forgetting) {
  const auto forget = [&](Lane& lane) {
    lane.learned = forgetting.rest(lane.learned);
    for (Knowledge::Shared& seen : lane.seen) seen = forgetting.rest(seen);
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

HappensBefore::Lanes& HappensBefore::lanes_of(unsigned warp) {
  any_through_memory_ = true;
  if (!lanes_[warp]) lanes_[warp] = std::make_unique<Lanes>();
  return *lanes_[warp];
}

/// What all lanes of the warp know of the warps of their block.
const Knowledge::Shared& HappensBefore::base(unsigned warp) {
  Knowledge::Shared& base = bases_[warp];
  if (base) return base;
  auto made = std::make_shared<Knowledge>();
  for (unsigned v = 0; v < clock_.size(); ++v)
    made->append(in_grid(v), Knowledge::every_lane, v == warp ? whole_sync_[v] : known(warp)[v]);
  return base = made;
}

HappensBefore::Fenced HappensBefore::fence_now(unsigned warp, unsigned lane) {
  Fenced fenced{base(warp), lanes_of(warp)[lane].learned, clock_[warp]};
  if (auto partial = partial_.find(warp); partial != partial_.end()) {
    auto others = std::make_shared<Knowledge>();
    for (unsigned other = 0; other < 32; ++other)
      others->append(in_grid(warp), other, partial->second.known[lane][other]);
    fenced.learned = Knowledge::join(fenced.learned, others);
  }
  return fenced;
}

/// What the lanes, which fenced the same, make known of their own block: little.
Knowledge::Shared HappensBefore::of_own_block(unsigned warp, std::uint32_t lanes,
                                              const Fenced& fenced) const {
  if (fenced.clock == 0) return fenced.of_block;
  auto own = std::make_shared<Knowledge>();
  if (lanes == all_lanes)
    own->append(in_grid(warp), Knowledge::every_lane, fenced.clock);
  else
    for_lanes(lanes, [&](unsigned lane) { own->append(in_grid(warp), lane, fenced.clock); });
  return Knowledge::join(fenced.base, own);
}

/// @param lanes that fenced the same.
Knowledge::Shared HappensBefore::put_together(unsigned warp, std::uint32_t lanes,
                                              const Fenced& fenced) const {
  return Knowledge::join(fenced.learned, of_own_block(warp, lanes, fenced));
}

/// What the lane has made ready, put together once: whoever waits with an atomic publishes it again
/// and again.
const Knowledge::Shared& HappensBefore::fenced_by(unsigned warp, unsigned lane,
                                                  const Fenced& fenced) const {
  if (fenced.clock == 0 && !fenced.of_block) return fenced.learned;
  if (!fenced.ready) fenced.ready = put_together(warp, 1u << lane, fenced);
  return fenced.ready;
}

/// Adds what the lanes know and have fenced.
void HappensBefore::add_to(Lane& joined, unsigned warp, std::uint32_t lanes) {
  const Lanes& all = *lanes_[warp];
  const std::uint32_t alike = lanes & ~all.apart();
  const std::uint32_t different = (lanes & all.apart()) | (alike & (0 - alike));
  const Lane* before = nullptr;
  for_lanes(different, [&](unsigned lane) {
    const Lane& one = all[lane];
    if (!before || one.learned != before->learned) learn(joined.learned, one.learned);
    // A barrier stands for the fence behind what was read.
    for (int scope : {0, 1})
      if (!before || one.seen[scope] != before->seen[scope]) learn(joined.learned, one.seen[scope]);
    before = &one;
  });
  bool reach_alike = joined.fenced[0] == joined.fenced[1];  // nearly always
  for_lanes(different,
            [&](unsigned lane) { reach_alike &= all[lane].fenced[0] == all[lane].fenced[1]; });
  for (int scope : {0, 1}) {
    std::uint32_t same = 0;
    for (std::uint32_t left = different; left; left &= ~same) {
      const Fenced& fenced = all[static_cast<unsigned>(std::countr_zero(left))].fenced[scope];
      same = 0;
      for_lanes(left, [&](unsigned lane) {
        if (all[lane].fenced[scope] == fenced) same |= 1u << lane;
      });
      learn(joined.fenced[scope].learned, fenced.learned);
      learn(joined.fenced[scope].of_block, of_own_block(warp, same, fenced));
    }
    if (reach_alike) {
      joined.fenced[1] = joined.fenced[0];
      return;
    }
  }
}

/// The lanes know from now on what those that they met know.
void HappensBefore::give(unsigned warp, std::uint32_t lanes, const Lanes::Alike& joined) {
  const Fenced& fenced = joined->fenced[0];
  if (!lanes_[warp] && !joined->learned && !fenced.learned && !fenced.of_block) return;
  Lanes& all = lanes_of(warp);
  if (lanes == all_lanes) return all.set_all(joined);
  for_lanes(lanes, [&](unsigned lane) { all.one(lane) = *joined; });
}

void HappensBefore::fence(unsigned warp, std::uint32_t lanes, Scope scope) {
  Lanes& all = lanes_of(warp);
  for_lanes(lanes, [&](unsigned lane) {
    Lane& one = all.one(lane);
    learn(one.learned, one.seen[0]);
    if (scope != Scope::cta) learn(one.learned, one.seen[1]);
    one.fenced[0] = fence_now(warp, lane);
    if (scope == Scope::cta) return;
    one.fenced[1] = one.fenced[0];
    one.seen[0] = one.seen[1] = nullptr;
  });
  ++clock_[warp];
}

void HappensBefore::synchronize(unsigned warp, const AccessEvent& event, SyncPoints& points) {
  // Nobody has published, and this warp has nothing to publish: the common case of plain counting.
  if (points.empty() && !lanes_[warp] && !releases(event.order)) return;
  const bool reads = !event.is_store || event.is_atomic;
  SyncPoints::Point* point = nullptr;
  std::uint64_t looked_at = ~0ull;
  for_lanes(event.mask, [&](unsigned lane) {
    const std::uint64_t address = event.addresses[lane];
    if (address != looked_at) point = reads ? points.find(address) : nullptr;
    looked_at = address;
    if (reads && point) read(lanes_of(warp).one(lane), *point, event);
    if (event.is_store) publish(warp, lane, event, points, point);
  });
  if (event.is_store && releases(event.order)) ++clock_[warp];
}

void HappensBefore::read(Lane& lane, const SyncPoints::Point& point,
                         const AccessEvent& event) const {
  const bool acquire = acquires(event.order), same_block = point.block == block_;
  if (same_block) {
    learn(acquire ? lane.learned : lane.seen[0], point.by_scope[0]);
    learn(acquire ? lane.learned : lane.seen[0], point.by_scope[1]);
  }
  // Beyond the block both sides have to reach that far.
  if (!same_block && event.scope != Scope::cta)
    learn(acquire ? lane.learned : lane.seen[1], point.by_scope[1]);
}

/// @param point in,out: the one of the lane's address, as far as that is known.
void HappensBefore::publish(unsigned warp, unsigned lane, const AccessEvent& event,
                            SyncPoints& points, SyncPoints::Point*& point) {
  const Knowledge::Shared nothing;
  Knowledge::Shared released;
  const Knowledge::Shared* ready[2] = {&nothing, &nothing};
  const bool reaches_far = event.scope != Scope::cta;
  if (releases(event.order)) {
    released = put_together(warp, 1u << lane, fence_now(warp, lane));
    ready[0] = &released;
    if (reaches_far) ready[1] = &released;
  } else if (lanes_[warp]) {
    const auto& fenced = (*lanes_[warp])[lane].fenced;
    ready[0] = &fenced_by(warp, lane, fenced[0]);
    if (reaches_far)
      ready[1] = fenced[0] == fenced[1] ? ready[0] : &fenced_by(warp, lane, fenced[1]);
  }
  // A store starts anew; an atomic goes on with what was published before.
  if (!*ready[0]) {
    if (event.is_atomic) return;
    points.forget(event.addresses[lane]);
    point = nullptr;
    return;
  }
  if (!point) point = &points.at(event.addresses[lane]);
  if (!event.is_atomic) *point = {};
  if (point->block != block_) point->by_scope[0] = nullptr;
  point->block = block_;
  for (int scope : {0, 1}) learn(point->by_scope[scope], *ready[scope]);
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
