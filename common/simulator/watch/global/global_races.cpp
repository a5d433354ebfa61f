#include "simulator/watch/global/global_races.h"

#include <algorithm>
#include <bit>

namespace warpwise::watch {
namespace {

using Access = TouchedTile::Access;

/// More accesses to one line are not remembered: the oldest are forgotten. Where there are many
/// lines, all of them together would take more memory than there is.
std::size_t most_accesses(std::size_t lines) {
  constexpr std::size_t of_all = 2 << 20, few = 4, many = 48;
  return std::clamp(of_all / std::max<std::size_t>(lines, 1), few, many);
}

void forget_oldest(std::vector<Access>& accesses, std::size_t most) {
  auto lives = [](const Access& access) { return access.cells != 0; };
  if (std::count_if(accesses.begin(), accesses.end(), lives) < static_cast<std::ptrdiff_t>(most))
    return;
  auto oldest = std::find_if(accesses.begin(), accesses.end(), lives);
  oldest->cells = 0;
  if (oldest->is_over()) accesses.erase(oldest);
}

}  // namespace

void GlobalRaces::start_block() {
  tiles_.clear();
  used_lines_ = 0;
  for (NotedAccesses& noted : noted_) noted.clear();
  stored_cells_.clear();
  listed_.clear();
  listed_stores_.clear();
  unwatched_.clear();
  watches_all_ = true;
  equal_stores_.clear();
}

std::optional<GlobalRaces::Race> GlobalRaces::access(HappensBefore& order, unsigned warp,
                                                     const AccessEvent& event,
                                                     const AddressShape& shape,
                                                     const StoredValues& values, const Epoch& epoch,
                                                     const std::uint32_t* known) {
  if (is_over()) return std::nullopt;
  const LineAccess::Kind kind = kind_of(event);
  if (watches_all(kind)) return access_watched(order, warp, event, shape, values, epoch, known);
  const std::uint32_t lanes = watched_lanes(event, kind);
  if (lanes == 0) return std::nullopt;
  AccessEvent rest = event;
  rest.mask = lanes;
  rest.is_consecutive &= lanes == event.mask;
  return access_watched(order, warp, rest, AddressShape(rest), values, epoch, known);
}

std::optional<GlobalRaces::Race> GlobalRaces::access_watched(
    HappensBefore& order, unsigned warp, const AccessEvent& event, const AddressShape& shape,
    const StoredValues& values, const Epoch& epoch, const std::uint32_t* known) {
  const bool is_one_piece = event.is_consecutive && event.mask == ~0u;
  const TouchedPieces::Reach reach(event, shape);
  const LineAccess::Kind kind = kind_of(event);
  const bool is_narrow = event.is_strong() && event.scope == code::Scope::cta;
  const std::uint64_t warp_in_grid = epoch.block * order.warps() + warp;
  const bool may_be_noted =
      kind != LineAccess::strong || (!is_narrow && is_worth_noting(warp_in_grid, event));
  auto is_noted = [&] { return note(warp, event, shape, reach, values, epoch, kind); };
  // Notes go to a comparison of blocks cell by cell: for rows, lists are better. Blocks with one
  // history are compared with no others.
  const bool notes_rows = !keep_line_accesses_;
  const bool notes_at_once = notes_rows || (kind == LineAccess::read && !is_one_piece);
  std::uint32_t times = event.times;
  while (times && may_be_noted && notes_at_once && is_noted()) --times;
  if (times == 0) return std::nullopt;
  Now now{order,
          event,
          values,
          epoch.block,
          warp,
          known,
          epoch.whole_sync,
          {event.site, epoch.clock, warp_in_grid, static_cast<std::uint16_t>(warp),
           !event.is_strong(), event.is_store, is_narrow},
          times,
          0,
          std::nullopt,
          equal_now_};
  equal_now_.clear();
  if (is_one_piece) {
    meet_noted(order, event, reach);
    for (const LinePart& part : LineParts(event, shift_, 0)) add(now, part);
    return now.found;
  }
  const std::uint64_t stride = stride_of(event, shape, shift_);
  const ColumnParts columns(event, shift_, stride);
  // Where lanes share lines, or go down columns, lists are short.
  const bool is_scattered = !columns.any() && (stride == 0 || stride >= cells_per_line);
  if (is_scattered && may_be_noted && !notes_at_once && is_noted()) return std::nullopt;
  meet_noted(order, event, reach);
  add(now, stride, columns);
  return now.found;
}

void GlobalRaces::go_on(HappensBefore& order, const GlobalRaces& from, const VectorClock& known) {
  auto recall_rest = [&](const AccessLog::Made& made, const AccessEvent& event,
                         const StoredValues& values) {
    const std::uint64_t warp = made.epoch.block * order.warps() + made.warp;
    if (known.floor_of(warp, 1) >= made.epoch.clock) return;
    AccessEvent rest = event;
    for_cells(event.mask, [&](unsigned lane) {
      if (known.covers(warp, lane, made.epoch.clock)) rest.mask &= ~(1u << lane);
    });
    rest.is_consecutive &= rest.mask == event.mask;
    if (rest.mask) recall(order, made.warp, rest, values, made.epoch);
  };
  from.noted(LineAccess::strong).for_all(recall_rest);
  from.for_tiles([&](const TouchedTile& tile) { go_on(tile, from, known); });
}

void GlobalRaces::go_on(const TouchedTile& tile, const GlobalRaces& from,
                        const VectorClock& known) {
  auto take = [&](unsigned at, const Accessor& by, std::uint32_t cells, const LineLanes& lanes) {
    if (known.floor_of(by.warp, 1) >= by.clock) return;
    for_cells(cells, [&](unsigned cell) {
      if (known.covers(by.warp, lanes.lane(cell), by.clock)) cells &= ~(1u << cell);
    });
    if (cells == 0) return;
    TouchedTile& mine = tiles_.at(tile.number);
    mine.accessed[at] |= cells;
    Line& line = this->line(mine, at);
    line.accesses.push_back({by, cells, 0, lanes});
    line.has_stores |= by.store;
    line.has_weak |= by.weak || by.narrow;
    if (tile.lines[at]) {
      line.updaters = from.lines_[tile.lines[at] - 1].updaters;
      line.observers = from.lines_[tile.lines[at] - 1].observers;
    }
    const std::uint64_t address = tile.line_number(at) * cells_per_line << shift_;
    listed_.add_at(address);
    if (by.store) listed_stores_.add_at(address);
  };
  for (const Column& column : tile.columns)
    for_cells(column.lines, [&](unsigned at) {
      take(at, column.by, column.cells[at], LineLanes(column.lanes.of[at]));
    });
  for (unsigned at = 0; at < lines_per_tile; ++at)
    if (tile.lines[at])
      for (const Access& access : from.lines_[tile.lines[at] - 1].accesses)
        take(at, access.by, access.cells, access.lanes);
}

void GlobalRaces::add(Now& now, std::uint64_t stride, const ColumnParts& columns) {
  for (const ColumnPart& part : columns) add(now, part);
  if (columns.any()) return;
  for (const LinePart& part : LineParts(now.event, shift_, stride)) add(now, part);
}

GlobalRaces::Line& GlobalRaces::line(TouchedTile& tile, unsigned line) {
  std::uint32_t& index = tile.lines[line];
  if (index) return lines_[index - 1];
  if (used_lines_ == lines_.size()) lines_.emplace_back();
  index = static_cast<std::uint32_t>(++used_lines_);
  Line& made = lines_[index - 1];
  made.accesses.clear();
  made.updaters.clear();
  made.observers.clear();
  made.has_stores = made.has_weak = false;
  made.rounds = 0;
  return made;
}

void GlobalRaces::add(Now& now, const LinePart& part) {
  if (now.by.kind() == LineAccess::write && part.lanes.several()) compare_lanes(now, part);
  TouchedTile& tile = tiles_.at(part.line / lines_per_tile);
  const auto at = static_cast<unsigned>(part.line % lines_per_tile);
  if (tile.accessed[at] & part.cells) check_line(now, tile, part);
  if (now.by.kind() == LineAccess::write) keep_equal_stores(now, part);
  tile.accessed[at] |= part.cells;
  Line& line = this->line(tile, at);
  Access& recorded = record(now, line, part);
  if (!now.by.weak) now.by.store ? keep_updaters(now, line, part) : keep_observers(now, line, part);
  if (!keep_line_accesses_) return;
  keep_line_accesses(tile, line, part, recorded);
  if (now.by.kind() == LineAccess::write) keep_values(now, part, tile.values(at));
}

/// @param values out: of the line.
void GlobalRaces::keep_values(const Now& now, const LinePart& part, std::uint16_t* values) const {
  const unsigned each = now.event.bytes / 4;
  const LaneRow row = part.lanes.row();
  const bool is_full = part.cells == ~0u && !part.lanes.has_table() && each == row.stride;
  const auto shift = static_cast<unsigned>(std::countr_zero(std::max(1u, each)));
  if (is_full && shift_ == 2 && now.values.are_words(each)) {
    for (int cell = 0; cell < static_cast<int>(cells_per_line); ++cell) {
      const auto at = static_cast<unsigned>(cell + row.base);
      values[cell] = now.values.hash(now.values.words(at & (each - 1))[at >> shift]);
    }
    return;
  }
  for_cells(part.cells, [&](unsigned cell) {
    const unsigned lane = part.lanes.lane(cell);
    values[cell] =
        now.values.hash(stored(now, lane, address(part, cell) - now.event.addresses[lane]));
  });
}

/// True where the access is in conflict with none in the line's list, and need not now look for
/// those that it represents. One look is as good as several.
bool GlobalRaces::may_be_skipped(const Now& now, Line& line) {
  constexpr unsigned rounds_between = 16;
  if (!now.by.store && !line.has_stores) return line.accesses.size() < few_accesses;
  if (now.by.weak || now.by.narrow || line.has_weak) return false;
  const unsigned rounds = line.rounds + now.times;
  const bool is_due = rounds / rounds_between != line.rounds / rounds_between;
  line.rounds = static_cast<std::uint8_t>(rounds);
  return !is_due;
}

void GlobalRaces::check_line(Now& now, TouchedTile& tile, const LinePart& part) {
  const auto at = static_cast<unsigned>(part.line % lines_per_tile);
  Line* line = tile.lines[at] ? &lines_[tile.lines[at] - 1] : nullptr;
  if (line && !may_be_skipped(now, *line)) {
    std::vector<Access>& accesses = line->accesses;
    for (auto earlier = accesses.begin(); earlier != accesses.end();) {
      check(now, line, earlier->by, earlier->cells, earlier->lanes, part);
      if (earlier->is_over()) {
        if (earlier + 1 != accesses.end()) *earlier = accesses.back();
        accesses.pop_back();
      } else {
        ++earlier;
      }
    }
  }
  for (Column& column : tile.columns)
    if ((column.cells[at] & part.cells) && (now.by.store || column.by.store))
      check(now, line, column.by, column.cells[at], LineLanes(column.lanes.of[at]), part);
}

/// The lowest lane at a cell that is another than the one that made the earlier access, if there is
/// one: a thread does not race with itself.
unsigned GlobalRaces::lane_beside(const Now& now, const Accessor& earlier, const LineLanes& lanes,
                                  const LinePart& part, unsigned cell) const {
  const unsigned lane = part.lanes.lane(cell);
  if (earlier.warp != now.by.warp || lane != lanes.lane(cell)) return lane;
  const std::uint32_t others = lanes_at(now, part, cell) & ~(1u << lane);
  return others ? static_cast<unsigned>(std::countr_zero(others)) : lane;
}

/// Checks the part against one earlier access.
/// @param line null where no lane has more of its line than a column. @param cells in,out: of the
/// earlier access.
void GlobalRaces::check(Now& now, const Line* line, const Accessor& earlier, std::uint32_t& cells,
                        const LineLanes& lanes, const LinePart& part) const {
  const std::uint32_t common = cells & part.cells;
  if (common == 0) return;
  const bool conflicts = now.by.conflicts(earlier);
  std::uint32_t before = ordered(now, earlier, lanes, part, common, conflicts);
  if (conflicts && !earlier.weak && earlier.store && line)
    before |= coherent(now, *line, part, common & ~before);
  const bool by_cache = now.event.is_non_coherent && earlier.store && before == common;
  if (now.event.is_non_coherent && earlier.store) before = 0;
  if (conflicts)
    for_cells(common & ~before, [&](unsigned cell) {
      if (now.found) return;
      const unsigned other = lanes.lane(cell);
      if (stores_same(now, part, cell)) {
        if (earlier.kind() == LineAccess::write)
          now.equal.push_back({number(part, cell), earlier.warp, other});
        return;
      }
      unsigned lane = lane_beside(now, earlier, lanes, part, cell);
      if (std::uint32_t equal = equal_storers(now, earlier, other, number(part, cell))) {
        if (earlier.warp == now.by.warp) equal |= 1u << other;
        const std::uint32_t rest = lanes_at(now, part, cell) & ~equal;
        if (rest == 0) return;
        lane = static_cast<unsigned>(std::countr_zero(rest));
      }
      now.found = Race{lane,
                       address(part, cell),
                       earlier.warp,
                       other,
                       earlier.store,
                       earlier.site,
                       now.by.conflicts_by_scope(earlier),
                       by_cache};
    });
  if (now.by.speaks_for(earlier)) cells &= ~before;
}

/// True where the accesses of a thread of a warp at that clock come before what the lane does now.
/// @param warp in the grid.
bool GlobalRaces::comes_after(const Now& now, unsigned lane, std::uint64_t warp, unsigned other,
                              std::uint32_t clock) {
  if (warp == now.by.warp && (other == lane || clock <= now.whole_sync)) return true;
  if (warp != now.by.warp && warp / now.order.warps() == now.block &&
      clock <= now.known[warp % now.order.warps()])
    return true;
  return now.order.knows_more(now.warp) &&
         !now.order.unordered_in_grid(now.warp, 1u << lane, warp, other, clock);
}

/// True where the lane knows the last update of the cell: it made it, or saw it by a strong load,
/// or comes after the thread that did, such as by a barrier.
bool GlobalRaces::knows_last(const Now& now, const Line& line, unsigned cell, unsigned lane) {
  const auto [last, when] = line.updaters[cell];
  if (last != 0 && comes_after(now, lane, (last - 1) / 32, (last - 1) % 32, when)) return true;
  if (line.observers.empty()) return false;
  const TouchedTile::Observer& saw = line.observers[cell];
  bool knows = saw.warp == now.by.warp && (saw.lanes >> lane & 1);
  for_cells(saw.first, [&](unsigned other) {
    knows = knows || comes_after(now, lane, saw.warp, other, saw.clock);
  });
  return knows;
}

/// The cells of which these lanes know the last update. All atomics of a cell have one order: a
/// thread that knows the last may go on with it, as it does to reset the counter or the lock that
/// showed it.
std::uint32_t GlobalRaces::coherent(const Now& now, const Line& line, const LinePart& part,
                                    std::uint32_t cells) const {
  std::uint32_t known = 0;
  if (line.updaters.empty()) return known;
  for_cells(cells, [&](unsigned cell) {
    bool all_know = true;
    for_cells(lanes_at(now, part, cell),
              [&](unsigned lane) { all_know = all_know && knows_last(now, line, cell, lane); });
    known |= std::uint32_t{all_know} << cell;
  });
  return known;
}

void GlobalRaces::keep_updaters(const Now& now, Line& line, const LinePart& part) {
  line.updaters.resize(cells_per_line);
  for_cells(part.cells, [&](unsigned cell) {
    line.updaters[cell] = {
        part.lanes.has_several(cell) ? 0 : now.by.warp * 32 + part.lanes.lane(cell) + 1,
        now.by.clock};
    if (!line.observers.empty()) line.observers[cell] = {};
  });
}

void GlobalRaces::keep_observers(const Now& now, Line& line, const LinePart& part) const {
  if (line.updaters.empty()) return;
  line.observers.resize(cells_per_line);
  for_cells(part.cells, [&](unsigned cell) {
    TouchedTile::Observer& observer = line.observers[cell];
    const std::uint32_t lanes = lanes_at(now, part, cell);
    if (observer.warp != now.by.warp || observer.lanes == 0)
      observer = {now.by.warp, 0, 0, now.by.clock};
    observer.lanes |= lanes;
    if (observer.clock == now.by.clock) observer.first |= lanes;
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

/// True where all lanes of the earlier access come before all lanes of this.
bool GlobalRaces::all_ordered(const Now& now, const Accessor& earlier) {
  if (earlier.warp == now.by.warp) return earlier.clock <= now.whole_sync;
  return earlier.warp / now.order.warps() == now.block &&
         earlier.clock <= now.known[earlier.warp % now.order.warps()];
}

/// The cells at which the earlier access comes before this one.
/// @param thoroughly false where not to know of an order does no harm.
std::uint32_t GlobalRaces::ordered(const Now& now, const Accessor& earlier, const LineLanes& lanes,
                                   const LinePart& part, std::uint32_t cells,
                                   bool thoroughly) const {
  if (all_ordered(now, earlier)) return cells;
  std::uint32_t before = earlier.warp == now.by.warp ? lanes.same_lane(part.lanes, cells) : 0;
  if (!thoroughly || before == cells || !now.order.knows_more(now.warp)) return before;
  for_cells(cells & ~before, [&](unsigned cell) {
    if (!now.order.unordered_in_grid(now.warp, lanes_at(now, part, cell), earlier.warp,
                                     lanes.lane(cell), earlier.clock))
      before |= 1u << cell;
  });
  return before;
}

/// Adds the part to the access that it goes on with, or to the list.
Access& GlobalRaces::record(Now& now, Line& line, const LinePart& part) {
  std::vector<Access>& accesses = line.accesses;
  line.has_stores |= now.by.store;
  line.has_weak |= now.by.weak || now.by.narrow;
  // Lines that instructions go through together have their lists in the same order.
  Access *access = accesses.data() + now.recorded, *end = accesses.data() + accesses.size();
  if (access >= end || !(access->by == now.by)) {
    access =
        std::find_if(accesses.data(), end, [&](const Access& other) { return other.by == now.by; });
    now.recorded = static_cast<std::size_t>(access - accesses.data());
  }
  if (access != end) {
    access->lanes.join(access->cells, part.lanes, part.cells);
    access->cells |= part.cells;
    return *access;
  }
  const std::size_t most = most_accesses(used_lines_);
  if (accesses.size() >= most) forget_oldest(accesses, most);
  return accesses.emplace_back(Access{now.by, part.cells, 0, part.lanes});
}

/// @param access that the part went to.
void GlobalRaces::keep_line_accesses(TouchedTile& tile, Line& line, const LinePart& part,
                                     Access& access) {
  const auto at = static_cast<unsigned>(part.line % lines_per_tile);
  const LineAccess::Kind kind = access.by.kind();
  const std::uint32_t fresh = part.cells & ~(tile.first_touched[kind][at] | tile.implied(kind)[at]);
  if (fresh == 0) return;
  tile.first_touched[kind][at] |= fresh;
  if (access.first_touched) return void(access.first_touched |= fresh);
  // Before a barrier the instruction may have said the same of other cells.
  for (Access& other : line.accesses)
    if (other.first_touched && other.by.is_same_instruction(access.by) &&
        other.lanes.is_same_row(access.lanes))
      return void(other.first_touched |= fresh);
  access.first_touched = fresh;
}

}  // namespace warpwise::watch
