#include "simulator/watch/launches/grid_races.h"

#include <algorithm>
#include <utility>

namespace warpwise::watch {

GridRaces::GridRaces(unsigned cell_shift, std::uint64_t blocks, unsigned warps, bool forgets)
    : warps_(warps),
      forgets_(forgets && blocks > 1),
      nothing_known_(warps),
      blocks_(blocks),
      not_started_(blocks),
      races_(std::make_unique<GlobalRaces>(cell_shift, false)),
      old_(forgets_ ? std::make_unique<GlobalRaces>(cell_shift, false) : nullptr) {}

void GridRaces::end_when(const std::atomic<bool>* is_over) {
  races_->end_when(is_over);
  if (old_) old_->end_when(is_over);
}

void GridRaces::start_block(std::uint64_t block) {
  not_started_ -= !blocks_[block].has_started;
  blocks_[block].has_started = blocks_[block].runs = true;
}

void GridRaces::finish_block(std::uint64_t block) {
  blocks_[block].runs = false;
  forget_if_passed();
}

/// A block that has yet to start knows nothing of the others: before it has, nothing is forgotten.
VectorClock::Shared GridRaces::meet(const HappensBefore& order) {
  if (!forgets_ || not_started_) return nullptr;
  Block& own = blocks_[order.block()];
  if (barrier_) {
    if (own.has_passed) return nullptr;
    const VectorClock::Shared known = order.known_to_all(order.common_floor());
    own.has_passed = known && known->covers(*barrier_);
    return forget_if_passed();
  }
  // Short ages are not worth it: each takes a look at all warps of the grid.
  if (accesses_ < blocks_.size() * warps_) return nullptr;
  // No thread learns what the block did since it last met: it has waited for the others.
  const VectorClock::Shared known = order.known_to_all(order.earlier_common_floor());
  if (!known || has_plain_beyond(*known)) return nullptr;
  std::swap(races_, old_);
  races_->start_block();
  races_->go_on(nothing_known_, *old_, *known);
  barrier_ = known;
  accesses_ = 0;
  for (Block& block : blocks_) {
    block.has_passed = false;
    block.latest_plain = 0;
  }
  own.has_passed = true;
  return forget_if_passed();
}

/// True where a block has made a plain access of which that says nothing.
bool GridRaces::has_plain_beyond(const VectorClock& known) {
  for (std::uint64_t i = 0; i < blocks_.size(); ++i) {
    const std::uint32_t latest = blocks_[beyond_].latest_plain;
    if (latest && known.floor_of(beyond_ * warps_, warps_) < latest) return true;
    if (++beyond_ == blocks_.size()) beyond_ = 0;
  }
  return false;
}

VectorClock::Shared GridRaces::forget_if_passed() {
  auto has_passed = [](const Block& block) { return block.has_passed || !block.runs; };
  if (!barrier_ || !std::all_of(blocks_.begin(), blocks_.end(), has_passed)) return nullptr;
  ++forgotten_;
  return std::exchange(barrier_, nullptr);
}

std::optional<GridRaces::Race> GridRaces::access(HappensBefore& order, unsigned warp,
                                                 const AccessEvent& event,
                                                 const AddressShape& shape,
                                                 const StoredValues& values) {
  accesses_ += event.times;
  Block& block = blocks_[order.block()];
  if (!event.is_strong()) block.latest_plain = std::max(block.latest_plain, order.clock(warp));
  std::optional<Race> found;
  if (barrier_ && !block.has_passed) found = old_->access(order, warp, event, shape, values);
  const std::optional<Race> in_this_age = races_->access(order, warp, event, shape, values);
  return found ? found : in_this_age;
}

}  // namespace warpwise::watch
