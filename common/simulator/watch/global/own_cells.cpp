#include "simulator/watch/global/own_cells.h"

#include <algorithm>
#include <bit>

#include "simulator/isa/fast_loops.h"
#include "simulator/watch/cells/lane_runs.h"

namespace warpwise::watch {
namespace {

/// The cell of each lane in a tile.
WARPWISE_FAST_LOOPS void cells_in_tile(const std::uint64_t* addresses, std::uint64_t first,
                                       unsigned shift, std::uint16_t* cells) {
  for (unsigned lane = 0; lane < 32; ++lane)
    cells[lane] = static_cast<std::uint16_t>((addresses[lane] >> shift) - first);
}

WARPWISE_FAST_LOOPS std::uint32_t lines_of(const std::uint16_t* cells, std::uint32_t mask) {
  std::uint32_t lines = 0;
  for (unsigned lane = 0; lane < 32; ++lane)
    lines |= (mask >> lane & 1) << (cells[lane] / cells_per_line % 32);
  return lines;
}

}  // namespace

/// The tile of that number. If all that was done to it came before a barrier, owners do not matter
/// any more.
inline OwnCells::Tile& OwnCells::tile(std::uint64_t number, LineAccess::Kind kind,
                                      const Epoch& epoch) {
  Tile& tile = tiles_.at(number);
  if (tile.latest <= epoch.common_floor) tile.current = 0;
  tile.latest = std::max(tile.latest, epoch.clock);
  tile.kinds |= 1u << kind;
  return tile;
}

/// Before these lines are touched.
inline void OwnCells::refresh(Tile& tile, std::uint32_t lines) {
  const std::uint32_t stale = lines & ~tile.current;
  if (stale == 0) return;
  for_cells(stale & tile.untold, [&](unsigned line) { tell_owners(tile, line); });
  for_cells(stale, [&](unsigned line) {
    std::fill_n(tile.owners + line * cells_per_line, cells_per_line, CellOwners::nobody);
  });
  for_cells(stale & ~tile.used, [&](unsigned line) { std::fill_n(tile.cells[line], 3, 0); });
  tile.untold &= ~stale;
  tile.current |= stale;
  tile.used |= stale;
}

/// Remembers what the owners of a line did to its cells.
WARPWISE_FAST_LOOPS void OwnCells::tell_owners(Tile& tile, unsigned line) {
  const CellOwner* const owners = tile.owners + line * cells_per_line;
  std::uint32_t* const cells = tile.cells[line];
  std::uint32_t touched = 0, written = 0, updated = 0;
  for (unsigned cell = 0; cell < cells_per_line; ++cell)
    touched |= std::uint32_t{owners[cell] != CellOwners::nobody} << cell;
  if (std::has_single_bit(tile.kinds)) {
    cells[std::countr_zero(tile.kinds)] |= touched;
    return;
  }
  for (unsigned cell = 0; cell < cells_per_line; ++cell) {
    written |= std::uint32_t{(owners[cell] & CellOwners::writes) != 0} << cell;
    updated |= std::uint32_t{(owners[cell] & CellOwners::updaters) != 0} << cell;
  }
  cells[LineAccess::read] |= touched & ~written & ~updated;
  cells[LineAccess::write] |= written;
  cells[LineAccess::strong] |= updated;
}

bool OwnCells::add(LineAccess::Kind kind, const Epoch& epoch, unsigned warp,
                   const AccessEvent& event, const AddressShape& shape) {
  if (event.is_consecutive) return add_row(kind, epoch, warp, event);
  if (const unsigned step = column_step(event, shape))
    return add_column(kind, epoch, warp, event, step);
  if (is_scattered(event, shape)) return add_runs(kind, epoch, warp, event);
  return add_in_one_tile(kind, epoch, warp, event, tile_of(shape.lowest));
}

/// The tile of a cell, to be asked for the owners of that and of later ones.
/// @param cells all in the tile, of each line some.
inline OwnCells::Tile& OwnCells::tile_with(std::uint64_t cell, unsigned cells,
                                           LineAccess::Kind kind, const Epoch& epoch) {
  const auto first = static_cast<unsigned>(cell % cells_per_tile);
  const unsigned first_line = first / cells_per_line;
  const unsigned last_line = (first + cells - 1) / cells_per_line;
  Tile& tile = this->tile(cell / cells_per_tile, kind, epoch);
  const std::uint32_t lines = ~0u >> (lines_per_tile - 1 - (last_line - first_line)) << first_line;
  refresh(tile, lines);
  tile.untold |= lines;
  return tile;
}

/// All lanes, each right after the one before.
bool OwnCells::add_row(LineAccess::Kind kind, const Epoch& epoch, unsigned warp,
                       const AccessEvent& event) {
  const unsigned each = cells_of_lane(event, shift_);
  const auto each_shift = static_cast<unsigned>(std::countr_zero(each));
  std::uint64_t cell = event.addresses[0] >> shift_;
  bool holds = true;
  for (unsigned done = 0; done < 32 * each;) {
    const auto first = static_cast<unsigned>(cell % cells_per_tile);
    const unsigned count = std::min(32 * each - done, cells_per_tile - first);
    Tile& tile = tile_with(cell, count, kind, epoch);
    holds &= CellOwners::add_row(kind, tile.owners + first, count,
                                 warp * 32 + 1 + (done >> each_shift), each_shift);
    done += count;
    cell += count;
  }
  return holds;
}

/// Neighbouring lanes, each so many cells after the one before.
bool OwnCells::add_column(LineAccess::Kind kind, const Epoch& epoch, unsigned warp,
                          const AccessEvent& event, unsigned step) {
  auto lane = static_cast<unsigned>(std::countr_zero(event.mask));
  auto left = static_cast<unsigned>(std::popcount(event.mask));
  std::uint64_t cell = event.addresses[lane] >> shift_;
  bool holds = true;
  while (left > 0) {
    const auto first = static_cast<unsigned>(cell % cells_per_tile);
    const unsigned lanes = std::min(left, (cells_per_tile - first + step - 1) / step);
    Tile& tile = tile_with(cell, (lanes - 1) * step + 1, kind, epoch);
    holds &= CellOwners::add_column(kind, tile.owners + first, lanes, step, warp * 32 + 1 + lane);
    lane += lanes;
    left -= lanes;
    cell += std::uint64_t{lanes} * step;
  }
  return holds;
}

/// Each lane has one cell, and all are in one tile.
bool OwnCells::add_in_one_tile(LineAccess::Kind kind, const Epoch& epoch, unsigned warp,
                               const AccessEvent& event, std::uint64_t number) {
  std::uint16_t cells[32];
  cells_in_tile(event.addresses, number * cells_per_tile, shift_, cells);
  Tile& tile = this->tile(number, kind, epoch);
  const std::uint32_t lines = lines_of(cells, event.mask);
  refresh(tile, lines);
  tile.untold |= lines;
  return CellOwners::add_lanes(kind, tile.owners, cells, event.mask, warp * 32 + 1);
}

bool OwnCells::add_runs(LineAccess::Kind kind, const Epoch& epoch, unsigned warp,
                        const AccessEvent& event) {
  const auto each_shift = static_cast<unsigned>(std::countr_zero(cells_of_lane(event, shift_)));
  bool holds = true;
  for_lane_runs(event, shift_, [&](const LaneRun& run) {
    Tile& tile = this->tile(run.line / lines_per_tile, kind, epoch);
    const unsigned line = run.line % lines_per_tile;
    refresh(tile, 1u << line);
    tile.cells[line][kind] |= run.cells();
    holds &= CellOwners::add_row(kind, tile.owners + line * cells_per_line + run.cell, run.count,
                                 warp * 32 + 1 + run.lane, each_shift);
  });
  return holds;
}

}  // namespace warpwise::watch
