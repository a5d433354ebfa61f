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

bool SharedRaces::stores_differ(const Cell& cell, unsigned lane, const AccessEvent& event,
                                const StoresSameValue& same) const {
  if (!event.is_store || event.is_atomic) return true;
  return !same(lane, cell.write_event == event_ ? cell.writer % 32 : none);
}

std::optional<SharedRaces::Race> SharedRaces::access(unsigned warp, const AccessEvent& event,
                                                     const StoresSameValue& same) {
  std::optional<Race> found;
  ++event_;
  for (std::uint32_t mask = event.mask; mask; mask &= mask - 1) {
    auto lane = static_cast<unsigned>(std::countr_zero(mask));
    std::uint32_t first = static_cast<std::uint32_t>(event.addresses[lane] - base_) >> shift_;
    std::uint32_t last =
        static_cast<std::uint32_t>(event.addresses[lane] + event.bytes - 1 - base_) >> shift_;
    for (std::uint32_t index = first; index <= last; ++index) {
      Cell& cell = cells_[index];
      std::optional<Race> race;
      unsigned writer_warp = cell.writer / 32, writer_lane = cell.writer % 32;
      bool excused = event.is_strong && !cell.write_weak;
      if (cell.write_clock && !excused &&
          !ordered(warp, lane, writer_warp, writer_lane, cell.write_clock) &&
          stores_differ(cell, lane, event, same))
        race = Race{lane, event.addresses[lane], cell.writer, true, cell.write_site};
      if (event.is_store) {
        if (!race) race = check_write(warp, lane, index, event.is_strong, event, same);
        cell.writer = warp * 32 + lane;
        cell.write_clock = clock_[warp];
        cell.write_site = event.site;
        cell.write_event = event_;
        cell.write_weak = !event.is_strong;
      } else {
        record_read(cell, index, warp, lane, event);
      }
      if (race && !found) found = race;
    }
  }
  return found;
}

std::optional<SharedRaces::Race> SharedRaces::check_write(unsigned warp, unsigned lane,
                                                          std::uint32_t index, bool strong,
                                                          const AccessEvent& event,
                                                          const StoresSameValue& same) {
  const Cell& cell = cells_[index];
  std::optional<Race> race = check_readers(cell.reader, warp, lane, strong);
  if (!race && cell.many_readers)
    for (const Readers& readers : readers_.at(index))
      if (!race) race = check_readers(readers, warp, lane, strong);
  if (!race) return race;
  if (!event.is_atomic && same(lane, none)) return std::nullopt;
  race->address = event.addresses[lane];
  return race;
}

std::optional<SharedRaces::Race> SharedRaces::check_readers(const Readers& readers, unsigned warp,
                                                            unsigned lane, bool strong) const {
  if (strong && !readers.weak) return std::nullopt;
  for (std::uint32_t lanes = readers.lanes; lanes; lanes &= lanes - 1) {
    auto other = static_cast<unsigned>(std::countr_zero(lanes));
    if (!ordered(warp, lane, readers.warp, other, readers.clock))
      return Race{lane, 0, readers.warp * 32 + other, false, readers.site};
    if (warp != readers.warp) break;  // the same answer for all lanes of another warp
  }
  return std::nullopt;
}

void SharedRaces::note_reader(Readers& readers, unsigned warp, unsigned lane,
                              const AccessEvent& event) const {
  // Reads that a sync of the whole warp has ordered need no memory of their own: the newer clock
  // covers them.
  bool forget = readers.clock != clock_[warp] && readers.clock <= whole_sync_[warp];
  readers.lanes = (forget ? 0 : readers.lanes) | 1u << lane;
  readers.weak = (forget ? false : readers.weak) || !event.is_strong;
  readers.warp = warp;
  readers.clock = clock_[warp];
  readers.site = event.site;
}

void SharedRaces::record_read(Cell& cell, std::uint32_t index, unsigned warp, unsigned lane,
                              const AccessEvent& event) {
  if (cell.reader.lanes == 0 || cell.reader.warp == warp)
    return note_reader(cell.reader, warp, lane, event);
  std::vector<Readers>& others = readers_[index];
  cell.many_readers = true;
  for (Readers& readers : others)
    if (readers.warp == warp) return note_reader(readers, warp, lane, event);
  note_reader(others.emplace_back(), warp, lane, event);
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
