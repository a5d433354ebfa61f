#pragma once
#include <bit>
#include <cstdint>

#include "simulator/watch/cells/access_event.h"
#include "simulator/watch/cells/address_shape.h"
#include "simulator/watch/cells/cell_owners.h"
#include "simulator/watch/cells/line_lanes.h"
#include "simulator/watch/cells/tile_cells.h"
#include "simulator/watch/cells/tile_table.h"
#include "simulator/watch/global/touched_tile.h"
#include "simulator/watch/order/epoch.h"

namespace warpwise::watch {

/// The owners of the cells of global memory that a block touches, as CellOwners says it.
class OwnCells {
 public:
  /// @param cell_shift log2 of a cell's bytes: no access is narrower.
  explicit OwnCells(unsigned cell_shift) : shift_(cell_shift) {}

  void start_block() { tiles_.clear(); }
  /// True where the lanes are scattered: such an access takes its time.
  bool is_scattered(const AccessEvent& event, const AddressShape& shape) const {
    return !event.is_consecutive && !column_step(event, shape) &&
           (event.bytes >> shift_ != 1 || tile_of(shape.lowest) != tile_of(shape.highest));
  }
  /// Adds an access.
  /// @param shape of the event.
  /// @return false where it does not hold any more: till the next block there is nothing to ask
  /// here then.
  bool add(LineAccess::Kind kind, const Epoch& epoch, unsigned warp, const AccessEvent& event,
           const AddressShape& shape);
  /// Calls visit(line, cells by kind) for all lines that the block touched. For a cell that it
  /// wrote it does not say whether the block has also read it.
  template <class Visit>
  void for_lines(Visit visit);

 private:
  static constexpr unsigned cells_per_tile = cells_per_line * lines_per_tile;

  struct Tile {
    std::uint64_t number = 0;   ///< address / bytes of a tile
    std::uint32_t latest = 0;   ///< clock of an access to it
    std::uint32_t used = 0;     ///< lines that were touched
    std::uint32_t current = 0;  ///< those whose owners still matter
    std::uint32_t kinds = 0;    ///< of all accesses, a bit each
    std::uint32_t untold = 0;   ///< lines of which only the owners tell what was done
    CellOwner owners[cells_per_tile];
    std::uint32_t cells[lines_per_tile][3];  ///< by kind, of the used lines

    void start(std::uint64_t at) {
      number = at;
      latest = used = current = kinds = untold = 0;
    }
  };

  std::uint64_t tile_of(std::uint64_t address) const {
    return (address >> shift_) / cells_per_tile;
  }
  /// Where neighbouring lanes each have a cell a few after that of the lane before: how many. Else
  /// 0.
  unsigned column_step(const AccessEvent& event, const AddressShape& shape) const {
    const std::uint32_t lanes = event.mask >> std::countr_zero(event.mask);
    const std::uint64_t step = shape.stride >> shift_;
    const bool is_column = shape.is_regular && event.bytes >> shift_ == 1 &&
                           step <= CellOwners::most_step && (lanes & (lanes + 1)) == 0;
    return is_column ? static_cast<unsigned>(step) : 0;
  }
  Tile& tile(std::uint64_t number, LineAccess::Kind kind, const Epoch& epoch);
  Tile& tile_with(std::uint64_t cell, unsigned cells, LineAccess::Kind kind, const Epoch& epoch);
  static void refresh(Tile& tile, std::uint32_t lines);
  static void tell_owners(Tile& tile, unsigned line);
  bool add_row(LineAccess::Kind kind, const Epoch& epoch, unsigned warp, const AccessEvent& event);
  bool add_column(LineAccess::Kind kind, const Epoch& epoch, unsigned warp,
                  const AccessEvent& event, unsigned step);
  bool add_in_one_tile(LineAccess::Kind kind, const Epoch& epoch, unsigned warp,
                       const AccessEvent& event, std::uint64_t number);
  bool add_runs(LineAccess::Kind kind, const Epoch& epoch, unsigned warp, const AccessEvent& event);

  unsigned shift_;
  TileTable<Tile> tiles_;
};

template <class Visit>
void OwnCells::for_lines(Visit visit) {
  tiles_.for_all([&](Tile& tile) {
    for_cells(tile.untold, [&](unsigned line) { tell_owners(tile, line); });
    for_cells(tile.used,
              [&](unsigned line) { visit(tile.number * lines_per_tile + line, tile.cells[line]); });
  });
}

}  // namespace warpwise::watch
