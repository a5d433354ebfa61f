// Accesses whose lanes go down columns: what holds for one line holds for all of a tile.

#include <algorithm>
#include <bit>

#include "simulator/watch/global/global_races.h"

namespace warpwise::watch {
namespace {

/// More columns in a tile are remembered line by line.
constexpr std::size_t most_columns = 48;

LinePart part_of_line(const ColumnPart& part, unsigned line) {
  return {part.tile * lines_per_tile + line, part.cells[line], LineLanes(part.lanes.of[line])};
}

}  // namespace

void GlobalRaces::add(Now& now, const ColumnPart& part) {
  TouchedTile& tile = tiles_.at(part.tile);
  if (tile.accessed.meets(part.cells)) check_columns(now, tile, part);
  if (now.by.kind() == LineAccess::write && !(now.equal.empty() && equal_stores_.empty()))
    for_cells(part.lines, [&](unsigned line) { keep_equal_stores(now, part_of_line(part, line)); });
  Column* column = find_column(now, tile, part);
  if (!column)
    return for_cells(part.lines, [&](unsigned line) { add(now, part_of_line(part, line)); });
  if (column->lanes == part.lanes) return record(now, tile, *column, part);
  ColumnPart agreed = part;
  for_cells(part.lines, [&](unsigned line) {
    LaneRow& lanes = column->lanes.of[line];
    if (lanes == ColumnLanes::nobody) lanes = part.lanes.of[line];
    if (lanes.includes(part.lanes.of[line], part.each)) return;
    agreed.cells[line] = 0;
    agreed.lines &= ~(1u << line);
  });
  record(now, tile, *column, agreed);
  for_cells(part.lines & ~agreed.lines, [&](unsigned line) { add(now, part_of_line(part, line)); });
}

void GlobalRaces::check_columns(Now& now, TouchedTile& tile, const ColumnPart& part) {
  std::uint32_t unsettled = 0;  // lines
  for (Column& earlier : tile.columns) {
    if (!(earlier.lines & part.lines)) continue;
    if (!now.by.store && !earlier.by.store && tile.columns.size() < few_accesses) continue;
    const bool is_own = earlier.by.warp == now.by.warp;
    if (all_ordered(now, earlier.by) || (is_own && earlier.lanes == part.lanes)) {
      if (now.by.speaks_for(earlier.by)) earlier.cells.remove(part.cells);
    } else if (is_own || now.by.conflicts(earlier.by)) {
      unsettled |= earlier.cells.common_lines(part.cells);
    }
  }
  for (unsigned line = 0; line < lines_per_tile; ++line)
    if (tile.lines[line]) unsettled |= 1u << line;
  for_cells(unsettled & part.lines,
            [&](unsigned line) { check_line(now, tile, part_of_line(part, line)); });
}

/// The column that the access goes on with, or a new one, which has the lanes of the part; null
/// where there are too many.
TouchedTile::Column* GlobalRaces::find_column(const Now& now, TouchedTile& tile,
                                              const ColumnPart& part) {
  if (Column* known = tile.find_column(now.by)) return known;
  if (tile.columns.size() % few_accesses == 0) tile.drop_columns();
  if (tile.columns.size() == most_columns) return nullptr;
  return &tile.add_column(now.by, part.lanes);
}

void GlobalRaces::record(const Now& now, TouchedTile& tile, Column& column,
                         const ColumnPart& part) {
  tile.accessed.add(part.cells);
  column.cells.add(part.cells);
  column.lines |= part.lines;
  if (!now.by.weak)
    for_cells(part.lines, [&](unsigned line) {
      if (now.by.store)
        keep_updaters(now, this->line(tile, line), part_of_line(part, line));
      else if (tile.lines[line])
        keep_observers(now, lines_[tile.lines[line] - 1], part_of_line(part, line));
    });
  if (!keep_line_accesses_) return;
  keep_line_accesses(tile, column, part);
  if (now.by.kind() != LineAccess::write) return;
  keep_values(now, part, tile);
}

void GlobalRaces::keep_values(const Now& now, const ColumnPart& part, TouchedTile& tile) const {
  constexpr std::uint64_t cells_per_tile = std::uint64_t{cells_per_line} * lines_per_tile;
  const bool are_words = shift_ == 2 && now.values.are_words(part.each);
  std::uint16_t* const values = tile.values(0);  // those of the other lines follow
  for_cells(now.event.mask, [&](unsigned lane) {
    const std::uint64_t first = now.event.addresses[lane] >> shift_;
    const std::uint64_t in_tile = first - part.tile * cells_per_tile;
    if (in_tile >= cells_per_tile || !(part.lines >> in_tile / cells_per_line & 1)) return;
    for (unsigned i = 0; i < part.each; ++i)
      values[in_tile + i] = now.values.hash(
          are_words ? now.values.words(i)[lane] : stored(now, lane, std::uint64_t{i} << shift_));
  });
}

/// @param column that the part went to.
void GlobalRaces::keep_line_accesses(TouchedTile& tile, Column& column, const ColumnPart& part) {
  TileCells fresh = part.cells;
  fresh.remove(tile.first_touched[column.by.kind()]);
  fresh.remove(tile.implied(column.by.kind()));
  if (!fresh.any()) return;
  tile.first_touched[column.by.kind()].add(fresh);
  Column* to = &column;
  // Before a barrier the instruction may have said the same of other cells.
  for (Column& other : tile.columns)
    if (other.by.is_same_instruction(column.by) && other.lanes == column.lanes) {
      to = &other;
      break;
    }
  to->first_touched.add(fresh);
}

}  // namespace warpwise::watch
