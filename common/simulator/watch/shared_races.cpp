#include "simulator/watch/shared_races.h"

#include <algorithm>
#include <bit>

namespace warpwise::watch {

SharedRaces::SharedRaces(std::uint32_t base, std::uint32_t bytes, unsigned warps, bool narrow)
    : base_(base),
      shift_(narrow ? 0 : 2),
      cells_((bytes >> shift_) + 1),
      clock_(warps, 1),
      whole_sync_(warps, 0),
      known_(warps, std::vector<std::uint32_t>(warps, 0)) {}

bool SharedRaces::ordered(unsigned warp, unsigned lane, unsigned other_warp, unsigned other_lane,
                          std::uint32_t clock) const {
  if (warp != other_warp) return known_[warp][other_warp] >= clock;
  if (lane == other_lane || clock <= whole_sync_[warp]) return true;
  auto partial = lanes_.find(warp);
  return partial != lanes_.end() && partial->second.known[lane][other_lane] >= clock;
}

std::optional<SharedRaces::Race> SharedRaces::access(unsigned warp, const AccessEvent& event,
                                                     const StoresSameValue& same) {
  std::optional<Race> found;
  ++event_;
  for (std::uint32_t mask = event.mask; mask; mask &= mask - 1) {
    Part part{warp, static_cast<unsigned>(std::countr_zero(mask)), event, same};
    auto offset = static_cast<std::uint32_t>(event.addresses[part.lane] - base_);
    for (std::uint32_t index = offset >> shift_; index <= (offset + event.bytes - 1) >> shift_;
         ++index) {
      auto race = access_cell(index, part);
      if (race && !found) found = race;
    }
  }
  return found;
}

std::optional<SharedRaces::Race> SharedRaces::access_cell(std::uint32_t index, const Part& part) {
  Cell& cell = cells_[index];
  std::optional<Race> race, other;
  if (cell.write_clock) race = unordered_write(cell, part);
  if (cell.access.lanes) other = unordered_access(index, part);
  if (part.event.is_store && !part.event.is_strong)
    record_write(index, part, !race && !other);
  else
    record_access(index, part);
  if (race) return race;
  return other && !part.stores_same(none) ? other : std::nullopt;
}

std::optional<SharedRaces::Race> SharedRaces::unordered_write(const Cell& cell,
                                                              const Part& part) const {
  if (ordered(part.warp, part.lane, cell.writer / 32, cell.writer % 32, cell.write_clock))
    return std::nullopt;
  if (part.stores_same(cell.write_event == event_ ? cell.writer % 32 : none)) return std::nullopt;
  return Race{part.lane, part.event.addresses[part.lane], cell.writer, true, cell.write_site};
}

std::optional<SharedRaces::Race> SharedRaces::unordered_access(std::uint32_t index,
                                                               const Part& part) const {
  const Cell& cell = cells_[index];
  auto race = unordered_access(cell.access, part);
  if (race || !cell.many) return race;
  for (const Access& access : more_.at(index))
    if (auto other = unordered_access(access, part)) return other;
  return std::nullopt;
}

std::optional<SharedRaces::Race> SharedRaces::unordered_access(const Access& access,
                                                               const Part& part) const {
  if (!access.store && !part.event.is_store) return std::nullopt;
  if (!access.weak && part.event.is_strong) return std::nullopt;
  std::uint32_t lanes = access.lanes;
  // All lanes of another warp, and all that a sync of the whole warp has joined, give one answer.
  if (part.warp != access.warp || access.clock <= whole_sync_[part.warp]) lanes &= 0 - lanes;
  for (; lanes; lanes &= lanes - 1) {
    auto other = static_cast<unsigned>(std::countr_zero(lanes));
    if (!ordered(part.warp, part.lane, access.warp, other, access.clock))
      return Race{part.lane, part.event.addresses[part.lane], access.warp * 32u + other,
                  access.store, access.site};
  }
  return std::nullopt;
}

void SharedRaces::record_write(std::uint32_t index, const Part& part, bool after_all) {
  Cell& cell = cells_[index];
  if (after_all && cell.access.lanes) {
    if (cell.many) more_.erase(index);
    cell.many = false;
    cell.access.lanes = 0;
  }
  cell.writer = part.warp * 32 + part.lane;
  cell.write_clock = clock_[part.warp];
  cell.write_site = part.event.site;
  cell.write_event = event_;
}

/// Adds the lane to a record of its own warp, or takes over one that says nothing more.
bool SharedRaces::note(Access& access, const Part& part) const {
  bool weak = !part.event.is_strong, store = part.event.is_store;
  bool same = access.warp == part.warp && access.clock == clock_[part.warp] &&
              access.site == part.event.site && access.weak == weak && access.store == store;
  // Whoever is ordered after this access is ordered after all that come before it.
  std::uint32_t before =
      access.warp == part.warp ? whole_sync_[part.warp] : known_[part.warp][access.warp];
  bool covered = access.clock <= before && (weak || !access.weak) && (store || !access.store);
  if (access.lanes && !same && !covered) return false;
  std::uint32_t lanes = same ? access.lanes : 0;
  access = {clock_[part.warp],
            lanes | 1u << part.lane,
            part.event.site,
            static_cast<std::uint16_t>(part.warp),
            weak,
            store};
  return true;
}

void SharedRaces::record_access(std::uint32_t index, const Part& part) {
  Cell& cell = cells_[index];
  if (note(cell.access, part)) return;
  std::vector<Access>& more = more_[index];
  cell.many = true;
  for (Access& access : more)
    if (note(access, part)) return;
  note(more.emplace_back(), part);
}

/// What an earlier block did lies behind a barrier: cheaper than to forget it cell by cell.
void SharedRaces::start_block() {
  block_barrier(~0u);
  lanes_.clear();
}

void SharedRaces::block_barrier(std::uint32_t warps) {
  std::vector<std::uint32_t> joined(clock_.size(), 0);
  for (unsigned w = 0; w < clock_.size(); ++w) {
    if (!(warps >> w & 1)) continue;
    for (unsigned v = 0; v < clock_.size(); ++v) joined[v] = std::max(joined[v], known_[w][v]);
    joined[w] = std::max(joined[w], clock_[w]);
  }
  for (unsigned w = 0; w < clock_.size(); ++w) {
    if (!(warps >> w & 1)) continue;
    known_[w] = joined;
    whole_sync_[w] = clock_[w]++;
  }
}

void SharedRaces::warp_barrier(unsigned warp, std::uint32_t lanes, bool all) {
  if (all) {
    whole_sync_[warp] = clock_[warp]++;
    return;
  }
  LaneClocks& clocks = lanes_[warp];
  std::uint32_t joined[32] = {};
  for (unsigned a = 0; a < 32; ++a)
    if (lanes >> a & 1)
      for (unsigned b = 0; b < 32; ++b)
        joined[b] = std::max(joined[b], lanes >> b & 1 ? clock_[warp] : clocks.known[a][b]);
  for (unsigned a = 0; a < 32; ++a)
    if (lanes >> a & 1) std::copy(joined, joined + 32, clocks.known[a]);
  ++clock_[warp];
}

}  // namespace warpwise::watch
