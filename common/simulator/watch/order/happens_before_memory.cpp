#include <algorithm>
#include <bit>

#include "simulator/watch/order/happens_before.h"

/// How threads learn from each other through memory: fences, what they make ready, and which
/// threads read it.
namespace warpwise::watch {
namespace {

using code::Order;
using code::Scope;

bool acquires(Order order) { return order == Order::acquire || order == Order::acquire_release; }
bool releases(Order order) { return order == Order::release || order == Order::acquire_release; }

}  // namespace

HappensBefore::Lanes& HappensBefore::lanes_of(unsigned warp) {
  any_through_memory_ = true;
  if (!lanes_[warp]) lanes_[warp] = std::make_unique<Lanes>();
  return *lanes_[warp];
}

/// The vector clock of all lanes of the warp, of the warps of their block.
const VectorClock::Shared& HappensBefore::base(unsigned warp) {
  VectorClock::Shared& base = bases_[warp];
  if (base) return base;
  auto made = std::make_shared<VectorClock>();
  for (unsigned v = 0; v < clock_.size(); ++v)
    made->append(in_grid(v), VectorClock::every_lane, v == warp ? whole_sync_[v] : known(warp)[v]);
  return base = made;
}

HappensBefore::Fenced HappensBefore::fence_now(unsigned warp, unsigned lane) {
  Fenced fenced{base(warp), lanes_of(warp)[lane].learned, clock_[warp]};
  if (auto partial = partial_.find(warp); partial != partial_.end()) {
    auto others = std::make_shared<VectorClock>();
    for (unsigned other = 0; other < 32; ++other)
      others->append(in_grid(warp), other, partial->second.known[lane][other]);
    fenced.learned = VectorClock::join(fenced.learned, others);
  }
  return fenced;
}

/// The vector clock of lanes, which fenced the same, of their own block: little.
VectorClock::Shared HappensBefore::of_own_block(unsigned warp, std::uint32_t lanes,
                                                const Fenced& fenced) const {
  if (fenced.clock == 0) return fenced.of_block;
  auto own = std::make_shared<VectorClock>();
  if (lanes == all_lanes)
    own->append(in_grid(warp), VectorClock::every_lane, fenced.clock);
  else
    for_lanes(lanes, [&](unsigned lane) { own->append(in_grid(warp), lane, fenced.clock); });
  return VectorClock::join(fenced.base, own);
}

/// @param lanes that fenced the same.
VectorClock::Shared HappensBefore::put_together(unsigned warp, std::uint32_t lanes,
                                                const Fenced& fenced) const {
  return VectorClock::join(fenced.learned, of_own_block(warp, lanes, fenced));
}

/// The vector clock that the lane has made ready, put together once: a thread that waits with an
/// atomic publishes it again and again.
const VectorClock::Shared& HappensBefore::fenced_by(unsigned warp, unsigned lane,
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
    if (!before || one.learned != before->learned) VectorClock::learn(joined.learned, one.learned);
    // A barrier is also the fence after what was read.
    for (int scope : {0, 1})
      if (!before || one.seen[scope] != before->seen[scope])
        VectorClock::learn(joined.learned, one.seen[scope]);
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
      VectorClock::learn(joined.fenced[scope].learned, fenced.learned);
      VectorClock::learn(joined.fenced[scope].of_block, of_own_block(warp, same, fenced));
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
    VectorClock::learn(one.learned, one.seen[0]);
    if (scope != Scope::cta) VectorClock::learn(one.learned, one.seen[1]);
    one.fenced[0] = fence_now(warp, lane);
    if (scope == Scope::cta) return;
    one.fenced[1] = one.fenced[0];
    one.seen[0] = one.seen[1] = nullptr;
  });
  ++clock_[warp];
}

void HappensBefore::synchronize(unsigned warp, const AccessEvent& event, SyncPoints& points) {
  // No thread has published, and this warp has nothing to publish: the common case of plain
  // counting.
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
    VectorClock::learn(acquire ? lane.learned : lane.seen[0], point.by_scope[0]);
    VectorClock::learn(acquire ? lane.learned : lane.seen[0], point.by_scope[1]);
  }
  // Beyond the block both sides have to reach that far.
  if (!same_block && event.scope != Scope::cta)
    VectorClock::learn(acquire ? lane.learned : lane.seen[1], point.by_scope[1]);
}

/// @param point in,out: the one of the lane's address, as far as that is known.
void HappensBefore::publish(unsigned warp, unsigned lane, const AccessEvent& event,
                            SyncPoints& points, SyncPoints::Point*& point) {
  const VectorClock::Shared nothing;
  VectorClock::Shared released;
  const VectorClock::Shared* ready[2] = {&nothing, &nothing};
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
  // A store starts afresh; an atomic continues what was published before.
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
  for (int scope : {0, 1}) VectorClock::learn(point->by_scope[scope], *ready[scope]);
}

}  // namespace warpwise::watch
