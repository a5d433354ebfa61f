#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "simulator/watch/cells/column_parts.h"
#include "simulator/watch/cells/line_parts.h"

namespace warpwise::watch {

/// A block's accesses to cells of one line, for the comparison with other blocks.
struct LineAccess {
  enum Kind : std::uint8_t { read, write, strong };
  std::uint32_t cells = 0;  ///< never 0
  std::uint32_t site = 0;
  std::uint16_t warp = 0;  ///< in the block
  Kind kind = read;
};

/// The kind of an access.
inline LineAccess::Kind kind_of(const AccessEvent& event) {
  return event.is_strong() ? LineAccess::strong
         : event.is_store  ? LineAccess::write
                           : LineAccess::read;
}

/// The maker of accesses: one instruction of one warp, between two synchronisations.
struct Accessor {
  std::uint32_t site, clock;
  std::uint64_t warp;  ///< in the grid
  std::uint16_t warp_in_block;
  bool weak, store;
  bool narrow = false;  ///< strong for the threads of its block only

  LineAccess::Kind kind() const {
    return !weak ? LineAccess::strong : store ? LineAccess::write : LineAccess::read;
  }
  /// The same instruction of the same warp, synchronised or not.
  bool is_same_instruction(const Accessor& other) const {
    return site == other.site && warp == other.warp && kind() == other.kind();
  }
  bool operator==(const Accessor& other) const {
    return site == other.site && clock == other.clock && warp == other.warp && weak == other.weak &&
           store == other.store;
  }
  /// The order of the two matters.
  bool conflicts(const Accessor& other) const {
    return (store || other.store) && (weak || other.weak || conflicts_by_scope(other));
  }
  /// Both strong, and too narrow for the two blocks that they are in.
  bool conflicts_by_scope(const Accessor& other) const {
    return (narrow || other.narrow) && !weak && !other.weak &&
           warp - warp_in_block != other.warp - other.warp_in_block;
  }
  /// A thread that comes after this access and races with none of it, races with none of an earlier
  /// one that comes before this.
  bool speaks_for(const Accessor& earlier) const {
    return (store || !earlier.store) && (weak || !earlier.weak) &&
           (weak || narrow || !earlier.narrow);
  }
};

/// The record of a tile of global memory: accesses to single lines, and such that went down columns
/// of it.
struct TouchedTile {
  struct Access {
    Accessor by;
    std::uint32_t cells;          ///< that no later access speaks for
    std::uint32_t first_touched;  ///< cells that the block touched here first, in this kind
    LineLanes lanes;
    bool is_over() const { return cells == 0 && first_touched == 0; }
  };
  /// Accesses by lanes that go down lines.
  struct Column {
    /// Without cells.
    Column(const Accessor& accessor, const ColumnLanes& of) : by(accessor), lanes(of) {
      cells.clear();
      first_touched.clear();
    }
    Accessor by;
    std::uint32_t lines = 0;         ///< that were ever touched
    TileCells cells, first_touched;  ///< as an access has them
    ColumnLanes lanes;
    bool is_over() const { return !cells.any() && !first_touched.any(); }
  };
  /// The last updater of a cell by an atomic or a strong store.
  struct Updater {
    std::uint64_t thread = 0;  ///< 1 + that in the grid; 0: one of several, not known which
    std::uint32_t clock = 0;   ///< of its warp
  };
  /// Lanes of a warp that read a cell by a strong load.
  struct Observer {
    std::uint64_t warp = 0;
    std::uint32_t lanes = 0;
    std::uint32_t first = 0;  ///< the lanes that were the first to
    std::uint32_t clock = 0;  ///< of the warp, then
  };
  struct Line {
    std::vector<Access> accesses;
    /// The last updater of each cell; empty where none was updated.
    std::vector<Updater> updaters;
    /// The last warp that saw that update; empty where none did.
    std::vector<Observer> observers;
    bool has_stores = false;
    bool has_weak = false;    ///< or narrow ones: others are in conflict with no atomic
    std::uint8_t rounds = 0;  ///< in which none could be in conflict
  };
  struct Values {
    std::uint16_t of[lines_per_tile][cells_per_line];
  };

  std::uint64_t number = 0;  ///< address / bytes of a tile
  TileCells accessed{};
  TileCells first_touched[3] = {};           ///< by kind
  std::uint32_t lines[lines_per_tile] = {};  ///< 1 + index of a Line, 0: none
  std::vector<Column> columns;

  void start(std::uint64_t at);
  /// The column that the accessor made; null where there is none.
  Column* find_column(const Accessor& by);
  /// Adds one without cells.
  Column& add_column(const Accessor& by, const ColumnLanes& lanes);
  /// Forgets those that say nothing any more.
  void drop_columns();
  /// Hashes of what was stored last in the cells of a line.
  std::uint16_t* values(unsigned line) {
    if (!values_) values_.reset(new Values);
    return values_->of[line];
  }
  /// The same; null where nothing was stored.
  const std::uint16_t* values(unsigned line) const { return values_ ? values_->of[line] : nullptr; }
  /// The lines that were touched.
  std::uint32_t touched() const;
  std::uint64_t line_number(unsigned line) const { return number * lines_per_tile + line; }
  /// The cells where other accesses imply what one of this kind would tell: what a block
  /// itself has written it reads again, unless another writes something else there.
  const TileCells& implied(LineAccess::Kind kind) const {
    return first_touched[kind == LineAccess::read ? LineAccess::write : kind];
  }

 private:
  static std::uint32_t key(const Accessor& by) {
    return (by.site * 0x9e3779b1u) ^ (by.clock * 0x85ebca6bu) ^ static_cast<std::uint32_t>(by.warp);
  }

  std::vector<std::uint32_t> keys_;  ///< of the columns: most accesses are of none of them
  std::unique_ptr<Values> values_;   ///< separate from what every access looks at
};

}  // namespace warpwise::watch
