#pragma once
#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/watch/cells/access_event.h"
#include "simulator/watch/cells/address_shape.h"
#include "simulator/watch/cells/cell_set.h"
#include "simulator/watch/cells/noted_accesses.h"
#include "simulator/watch/cells/tile_table.h"
#include "simulator/watch/global/equal_stores.h"
#include "simulator/watch/global/stored_values.h"
#include "simulator/watch/global/touched_tile.h"
#include "simulator/watch/order/epoch.h"
#include "simulator/watch/order/happens_before.h"
#include "simulator/watch/order/repeated_looks.h"

namespace warpwise::watch {

/// Finds conflicting accesses to global memory of which neither comes before the other: of one
/// block after another, or of all blocks of a launch that run on one host thread and synchronise
/// through memory.
///
/// It remembers a list of accesses: each of one instruction of one warp, with the lane that touched
/// each cell. An access goes where a later one says as much: a thread that is ordered after the
/// later one is ordered after both.
///
/// The lists are kept by line. Where lanes touch a line each, 32 lists would say the same: such
/// columns have a list for the whole tile.
///
/// Some accesses are only noted down, and go into lists when such memory is touched in another way:
/// reads of memory that no thread has stored to, which do not race with each other; and, where
/// lanes are scattered over memory, stores to cells that no thread has touched before, and atomics,
/// which do not race with each other either. For blocks with one history also strong loads and
/// stores, but not those of threads that wait: one entry of a list says all about these.
///
/// Where blocks have one history and more would be noted down than there is room for, most of the
/// memory that is touched from then on is not watched any more: a sample is, piece by piece.
class GlobalRaces {
 public:
  /// A conflict: this access against an earlier one of another thread.
  struct Race {
    unsigned lane;  ///< of the later access
    std::uint64_t address;
    std::uint64_t other_warp;  ///< number of its block times warps of a block + warp
    unsigned other_lane;
    bool other_is_store;
    std::uint32_t other_site;
    bool by_scope = false;  ///< both are strong, but one only within its block
    bool by_cache = false;  ///< the store came before; the load by another cache need not see it
  };

  /// @param cell_shift log2 of a cell's bytes: no access is narrower.
  /// @param keep_line_accesses where blocks are compared with each other afterwards.
  GlobalRaces(unsigned cell_shift, bool keep_line_accesses)
      : GlobalRaces(cell_shift, keep_line_accesses,
                    keep_line_accesses ? small_of_block : small_of_launch) {}
  /// @param small bytes of accesses that are noted down where little memory is touched.
  GlobalRaces(unsigned cell_shift, bool keep_line_accesses, std::size_t small)
      : shift_(cell_shift),
        keep_line_accesses_(keep_line_accesses),
        noted_{{LineAccess::read, small},
               {LineAccess::write, small / 4},
               {LineAccess::strong, keep_line_accesses ? small / 4 : small}} {}

  /// Once it is so, nothing is checked any more: what was noted down may be more than there is time
  /// for. @param is_over may be null.
  void end_when(const std::atomic<bool>* is_over) { is_over_ = is_over; }
  /// Forgets what earlier blocks did.
  void start_block();
  /// Checks and records. Call before a store changes the memory, and before a strong access
  /// synchronises.
  /// @param order of the warp's block. @param shape of the event. @param values of stores.
  std::optional<Race> access(HappensBefore& order, unsigned warp, const AccessEvent& event,
                             const AddressShape& shape, const StoredValues& values) {
    return access(order, warp, event, shape, values, Epoch::now(order, warp), order.known(warp));
  }
  /// Records an access that was made earlier and races with none of its block. The order of other
  /// warps at that time is known only as far as all of them knew it: accesses may stay that a later
  /// one represents, which does no harm.
  void recall(HappensBefore& order, unsigned warp, const AccessEvent& event,
              const StoredValues& values, const Epoch& epoch) {
    known_then_.assign(order.warps(), epoch.floor);
    access(order, warp, event, AddressShape(event), values, epoch, known_then_.data());
  }
  /// Takes over from others what is not known to have come before. Plain accesses that are only
  /// noted down are.
  /// @param order of a block that knows nothing of it.
  void go_on(HappensBefore& order, const GlobalRaces& from, const VectorClock& known);

  /// Calls visit(tile) for all that were touched, in the order in which they were first.
  template <class Visit>
  void for_tiles(Visit visit) const {
    tiles_.for_all(visit);
  }
  /// Accesses of the kind that are in no list. The block has touched their cells in no other way.
  const NotedAccesses& noted(LineAccess::Kind kind) const { return noted_[kind]; }
  /// Calls visit(line, access, lanes) for all in the tile that other blocks may be in conflict
  /// with.
  template <class Visit>
  void for_line_accesses(const TouchedTile& tile, Visit visit) const;

 private:
  using Access = TouchedTile::Access;
  using Column = TouchedTile::Column;
  using Line = TouchedTile::Line;
  /// A store of what another thread stores to the cell.
  struct EqualStore {
    std::uint64_t cell, warp;
    unsigned lane;
  };
  /// The facts that all parts of an instruction share.
  struct Now {
    HappensBefore& order;
    const AccessEvent& event;
    const StoredValues& values;
    std::uint64_t block;
    unsigned warp;
    const std::uint32_t* known;  ///< by warp of the block: the latest clock that came before
    std::uint32_t whole_sync;
    Accessor by;
    std::uint32_t times = 1;   ///< that it is made, one after another
    std::size_t recorded = 0;  ///< where the part before went in the list of its line
    std::optional<Race> found;
    std::vector<EqualStore>& equal;  ///< that nothing orders with this one
  };

  /// @param known by warp: the latest clock that came before.
  std::optional<Race> access(HappensBefore& order, unsigned warp, const AccessEvent& event,
                             const AddressShape& shape, const StoredValues& values,
                             const Epoch& epoch, const std::uint32_t* known);
  /// The same of an access to what is watched.
  std::optional<Race> access_watched(HappensBefore& order, unsigned warp, const AccessEvent& event,
                                     const AddressShape& shape, const StoredValues& values,
                                     const Epoch& epoch, const std::uint32_t* known);

  // Memory that is not watched any more.
  bool watches_all(LineAccess::Kind kind);
  std::uint32_t watched_lanes(const AccessEvent& event, LineAccess::Kind kind);
  bool may_be_left(std::uint64_t address, LineAccess::Kind kind) const;

  // Accesses that are only noted down.
  /// Blocks are compared, and values kept, by words.
  bool may_note(LineAccess::Kind kind) const {
    return shift_ == 2 || (!keep_line_accesses_ && kind != LineAccess::write);
  }
  bool is_worth_noting(std::uint64_t warp, const AccessEvent& event);
  bool note(unsigned warp, const AccessEvent& event, const AddressShape& shape,
            const TouchedPieces::Reach& reach, const StoredValues& values, const Epoch& epoch,
            LineAccess::Kind kind);
  bool are_new(const AccessEvent& event, const StoredValues& values);
  void add_noted(HappensBefore& order, NotedAccesses& noted);

  // Accesses before a barrier of the grid.
  void go_on(const TouchedTile& tile, const GlobalRaces& from, const VectorClock& known);

  // Any access.
  void meet_noted(HappensBefore& order, const AccessEvent& event,
                  const TouchedPieces::Reach& reach);
  void add(Now& now, std::uint64_t stride, const ColumnParts& columns);
  void check(Now& now, const Line* line, const Accessor& earlier, std::uint32_t& cells,
             const LineLanes& lanes, const LinePart& part) const;
  static bool all_ordered(const Now& now, const Accessor& earlier);
  std::uint32_t ordered(const Now& now, const Accessor& earlier, const LineLanes& lanes,
                        const LinePart& part, std::uint32_t cells, bool thoroughly) const;
  std::uint32_t coherent(const Now& now, const Line& line, const LinePart& part,
                         std::uint32_t cells) const;
  static bool knows_last(const Now& now, const Line& line, unsigned cell, unsigned lane);
  static bool comes_after(const Now& now, unsigned lane, std::uint64_t warp, unsigned other,
                          std::uint32_t clock);
  static void keep_updaters(const Now& now, Line& line, const LinePart& part);
  void keep_observers(const Now& now, Line& line, const LinePart& part) const;
  std::uint32_t lanes_at(const Now& now, const LinePart& part, unsigned cell) const;
  unsigned lane_beside(const Now& now, const Accessor& earlier, const LineLanes& lanes,
                       const LinePart& part, unsigned cell) const;
  bool stores_same(const Now& now, const LinePart& part, unsigned cell) const;
  std::uint32_t equal_storers(const Now& now, const Accessor& earlier, unsigned lane,
                              std::uint64_t cell) const;
  void keep_equal_stores(Now& now, const LinePart& part);
  /// @param offset of a cell from the lane's address.
  std::uint32_t stored(const Now& now, unsigned lane, std::uint64_t offset) const {
    return now.values.stored(lane, offset, 1u << shift_);
  }
  static std::uint64_t number(const LinePart& part, unsigned cell) {
    return part.line * cells_per_line + cell;
  }
  std::uint64_t address(const LinePart& part, unsigned cell) const {
    return number(part, cell) << shift_;
  }
  Line& line(TouchedTile& tile, unsigned line);

  // Accesses to lines.
  void add(Now& now, const LinePart& part);
  void compare_lanes(Now& now, const LinePart& part) const;
  static bool may_be_skipped(const Now& now, Line& line);
  void check_line(Now& now, TouchedTile& tile, const LinePart& part);
  Access& record(Now& now, Line& line, const LinePart& part);
  void keep_values(const Now& now, const LinePart& part, std::uint16_t* values) const;
  static void keep_line_accesses(TouchedTile& tile, Line& line, const LinePart& part,
                                 Access& access);

  // Accesses to columns.
  void add(Now& now, const ColumnPart& part);
  void check_columns(Now& now, TouchedTile& tile, const ColumnPart& part);
  static Column* find_column(const Now& now, TouchedTile& tile, const ColumnPart& part);
  void record(const Now& now, TouchedTile& tile, Column& column, const ColumnPart& part);
  void keep_values(const Now& now, const ColumnPart& part, TouchedTile& tile) const;
  static void keep_line_accesses(TouchedTile& tile, Column& column, const ColumnPart& part);

  /// Reads do not race with each other. Where there are no more than so many, none need be found
  /// that later ones speak for.
  static constexpr std::size_t few_accesses = 12;

  /// Bytes of one block, and of all that have one history. They take less than they would in lists.
  static constexpr std::size_t small_of_block = 8 << 20, small_of_launch = 64 << 20;

  bool is_over() const { return is_over_ && *is_over_; }

  unsigned shift_;  ///< log2 of a cell's bytes
  bool keep_line_accesses_;
  const std::atomic<bool>* is_over_ = nullptr;
  std::vector<std::uint32_t> known_then_;  ///< by warp, when what is recalled was made
  TileTable<TouchedTile> tiles_;
  std::vector<Line> lines_;
  std::size_t used_lines_ = 0;
  NotedAccesses noted_[3];                ///< by kind
  CellSet stored_cells_;                  ///< of noted stores
  TouchedPieces listed_, listed_stores_;  ///< what is in lists
  TouchedPieces unwatched_;
  bool watches_all_ = true;
  EqualStores equal_stores_;
  std::vector<EqualStore>
      equal_now_;        ///< of the access that is looked at: its memory is used again
  RepeatedLooks looks_;  ///< by strong loads
};

template <class Visit>
void GlobalRaces::for_line_accesses(const TouchedTile& tile, Visit visit) const {
  auto visit_any = [&](unsigned line, const Accessor& by, std::uint32_t cells,
                       const LineLanes& lanes) {
    if (cells) visit(line, LineAccess{cells, by.site, by.warp_in_block, by.kind()}, lanes);
  };
  for (unsigned line = 0; line < lines_per_tile; ++line)
    if (tile.lines[line])
      for (const Access& access : lines_[tile.lines[line] - 1].accesses)
        visit_any(line, access.by, access.first_touched, access.lanes);
  for (const Column& column : tile.columns)
    for_cells(column.lines, [&](unsigned line) {
      visit_any(line, column.by, column.first_touched[line], LineLanes(column.lanes.of[line]));
    });
}

}  // namespace warpwise::watch
