#include "simulator/watch/global_races.h"

#include <algorithm>
#include <bit>

namespace warpwise::watch {
namespace {

using Line = GlobalRaces::Line;

/// More accesses to one line are not remembered: the oldest are forgotten.
constexpr std::size_t most_accesses = 48;

std::uint16_t short_hash(std::uint32_t value) {
  return static_cast<std::uint16_t>(value * 0x9e3779b1u >> 16);
}

/// An access that nothing is to be compared with any more goes, unless it is kept for other blocks.
bool is_over(const Line::Access& access) { return access.cells == 0 && access.contacts == 0; }

void forget_oldest(std::vector<Line::Access>& accesses) {
  auto lives = [](const Line::Access& access) { return access.cells != 0; };
  if (std::count_if(accesses.begin(), accesses.end(), lives) <
      static_cast<std::ptrdiff_t>(most_accesses))
    return;
  auto oldest = std::find_if(accesses.begin(), accesses.end(), lives);
  oldest->cells = 0;
  if (is_over(*oldest)) accesses.erase(oldest);
}

}  // namespace

void Line::start(std::uint64_t at) {
  number = at;
  accessed = 0;
  std::fill(std::begin(contacted), std::end(contacted), 0);
  accesses.clear();
  updaters.clear();
}

std::optional<GlobalRaces::Race> GlobalRaces::access(HappensBefore& order, unsigned warp,
                                                     const AccessEvent& event,
                                                     const StoredValues& values) {
  Now now{order,
          event,
          values,
          warp,
          order.in_grid(warp),
          order.clock(warp),
          order.whole_sync(warp),
          0,
          std::nullopt};
  const bool store = event.is_store, weak = now.weak();
  for (const LinePart& part : LineParts(event, shift_)) {
    if (store && weak && part.lanes.several()) compare_lanes(now, part);
    Line& line = lines_.at(part.line);
    if (line.accessed & part.cells) check(now, line, part);
    Line::Access& recorded = record(now, line, part);
    if (store && !weak) keep_updaters(now, line, part);
    if (keep_contacts_) keep_contacts(now, line, part, recorded);
  }
  return now.found;
}

/// Lanes of one instruction store to the same cells: equal values do not race.
void GlobalRaces::compare_lanes(Now& now, const LinePart& part) const {
  for_cells(part.lanes.several(), [&](unsigned cell) {
    const std::uint64_t address = this->address(part, cell);
    const unsigned other = part.lanes.lane(cell);
    for_cells(lanes_at(now, part, cell), [&](unsigned lane) {
      if (!now.found && stored(now, lane, address) != stored(now, other, address))
        now.found = Race{lane, address, now.warp_in_grid, other, true, now.event.site};
    });
  });
}

void GlobalRaces::check(Now& now, Line& line, const LinePart& part) const {
  const bool store = now.event.is_store, weak = now.weak();
  std::uint32_t accessed = 0;
  auto check_one = [&](Line::Access& earlier) {
    const std::uint32_t common = earlier.cells & part.cells;
    if (common == 0) return;
    const bool conflicts = (earlier.store || store) && (earlier.weak || weak);
    std::uint32_t before = ordered(now, earlier, part, common, conflicts);
    if (conflicts && !earlier.weak && earlier.store)
      before |= coherent(now, line, part, common & ~before);
    if (conflicts && common != before && !now.found) report(now, earlier, part, common & ~before);
    // Whoever comes after this access and races with none of it, races with none of the earlier.
    if ((store || !earlier.store) && (weak || !earlier.weak)) earlier.cells &= ~before;
  };
  for (auto earlier = line.accesses.begin(); earlier != line.accesses.end();) {
    check_one(*earlier);
    accessed |= earlier->cells;
    if (is_over(*earlier)) {
      if (earlier + 1 != line.accesses.end()) *earlier = line.accesses.back();
      line.accesses.pop_back();
    } else {
      ++earlier;
    }
  }
  line.accessed = accessed;
}

/// The cells that this thread was the last to update. All atomics of a cell stand in one order: who
/// came last may go on with it, as it does to reset the counter that told it so.
std::uint32_t GlobalRaces::coherent(const Now& now, const Line& line, const LinePart& part,
                                    std::uint32_t cells) {
  std::uint32_t last = 0;
  if (line.updaters.empty()) return last;
  for_cells(cells & ~part.lanes.several(), [&](unsigned cell) {
    if (line.updaters[cell] == now.warp_in_grid * 32 + part.lanes.lane(cell) + 1)
      last |= 1u << cell;
  });
  return last;
}

void GlobalRaces::keep_updaters(const Now& now, Line& line, const LinePart& part) {
  line.updaters.resize(cells_per_line);
  for_cells(part.cells, [&](unsigned cell) {
    // Of several lanes nobody says which was the last.
    line.updaters[cell] =
        part.lanes.has_several(cell) ? 0 : now.warp_in_grid * 32 + part.lanes.lane(cell) + 1;
  });
}

std::uint32_t GlobalRaces::lanes_at(const Now& now, const LinePart& part, unsigned cell) const {
  if (!part.lanes.has_several(cell)) return 1u << part.lanes.lane(cell);
  std::uint32_t lanes = 0;
  for_cells(now.event.mask, [&](unsigned lane) {
    if (address(part, cell) - now.event.addresses[lane] < now.event.bytes) lanes |= 1u << lane;
  });
  return lanes;
}

/// The cells at which the earlier access comes before this one.
/// @param thoroughly false where not to know of an order does no harm.
std::uint32_t GlobalRaces::ordered(const Now& now, const Line::Access& earlier,
                                   const LinePart& part, std::uint32_t cells,
                                   bool thoroughly) const {
  std::uint32_t before = 0;
  if (earlier.warp == now.warp_in_grid) {
    if (earlier.clock <= now.whole_sync) return cells;
    before = earlier.lanes.same_lane(part.lanes, cells);
  } else if (earlier.warp / now.order.warps() == now.order.block()) {
    if (now.order.known(now.warp)[earlier.warp % now.order.warps()] >= earlier.clock) return cells;
  }
  if (!thoroughly || before == cells || !now.order.knows_more(now.warp)) return before;
  for_cells(cells & ~before, [&](unsigned cell) {
    if (!now.order.unordered_in_grid(now.warp, lanes_at(now, part, cell), earlier.warp,
                                     earlier.lanes.lane(cell), earlier.clock))
      before |= 1u << cell;
  });
  return before;
}

/// True where a store leaves what is there.
bool GlobalRaces::stores_same(const Now& now, const LinePart& part, unsigned cell) const {
  if (!now.event.is_store || !now.weak()) return false;
  const std::uint64_t at = address(part, cell);
  return stored(now, part.lanes.lane(cell), at) == now.values.in_memory(at, 1u << shift_);
}

void GlobalRaces::report(Now& now, const Line::Access& earlier, const LinePart& part,
                         std::uint32_t cells) const {
  for_cells(cells, [&](unsigned cell) {
    if (now.found || stores_same(now, part, cell)) return;
    now.found = Race{part.lanes.lane(cell),    address(part, cell), earlier.warp,
                     earlier.lanes.lane(cell), earlier.store,       earlier.site};
  });
}

/// Adds the part to the access of the same instruction that it goes on with, or to the list.
Line::Access& GlobalRaces::record(Now& now, Line& line, const LinePart& part) {
  line.accessed |= part.cells;
  // Lines that instructions go through together have their lists in the same order.
  Line::Access* access = line.accesses.data() + now.recorded;
  if (access >= line.accesses.data() + line.accesses.size() || !now.goes_on(*access)) {
    access = std::find_if(line.accesses.data(), line.accesses.data() + line.accesses.size(),
                          [&](const Line::Access& other) { return now.goes_on(other); });
    now.recorded = static_cast<std::size_t>(access - line.accesses.data());
  }
  if (access == line.accesses.data() + line.accesses.size()) return add(now, line, part);
  access->lanes.join(access->cells, part.lanes, part.cells);
  access->cells |= part.cells;
  return *access;
}

Line::Access& GlobalRaces::add(const Now& now, Line& line, const LinePart& part) {
  if (line.accesses.size() >= most_accesses) forget_oldest(line.accesses);
  return line.accesses.emplace_back(Line::Access{
      part.cells, now.event.site, now.clock, 0, now.warp_in_grid,
      static_cast<std::uint16_t>(now.warp), now.weak(), now.event.is_store, part.lanes});
}

/// @param access that the part went to.
void GlobalRaces::keep_contacts(const Now& now, Line& line, const LinePart& part,
                                Line::Access& access) const {
  const Contact::Kind kind = access.kind();
  if (kind == Contact::write) keep_values(now, line, part);
  std::uint32_t fresh = part.cells & ~line.contacted[kind];
  // What the block itself has written it reads again, unless another writes something else there.
  if (kind == Contact::read) fresh &= ~line.contacted[Contact::write];
  if (fresh == 0) return;
  line.contacted[kind] |= fresh;
  if (access.contacts) return void(access.contacts |= fresh);
  // Before a barrier the instruction may have said the same of other cells.
  for (Line::Access& other : line.accesses)
    if (other.contacts && other.site == access.site && other.warp == access.warp &&
        other.kind() == kind && other.lanes.is_same_row(access.lanes))
      return void(other.contacts |= fresh);
  access.contacts = fresh;
}

void GlobalRaces::keep_values(const Now& now, Line& line, const LinePart& part) const {
  for_cells(part.cells, [&](unsigned cell) {
    line.values[cell] = short_hash(stored(now, part.lanes.lane(cell), address(part, cell)));
  });
}

}  // namespace warpwise::watch
