#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>

#include "simulator/watch/cells/access_event.h"
#include "simulator/watch/cells/for_lanes.h"

namespace warpwise::watch {

/// Global memory is watched in lines of 32 cells. A cell has 4 bytes, or 2 or 1 in programs that
/// access less.
constexpr unsigned cells_per_line = 32;

/// Calls visit(cell) for the cells of a set, lowest first.
template <class Visit>
void for_cells(std::uint32_t cells, Visit visit) {
  for_lanes(cells, visit);
}

/// Cells that each lane touches.
inline unsigned cells_of_lane(const AccessEvent& event, unsigned shift) {
  return std::max(1u, event.bytes >> shift);
}

/// Lanes that follow each other along a line, with this distance: lane (cell + base) / stride
/// touches the cell.
struct LaneRow {
  std::int16_t base;
  std::uint16_t stride;

  /// One lane touches all cells.
  static LaneRow of_one(unsigned lane) { return through(lane, 0, cells_per_line); }
  /// Each lane has so many cells, and this lane those from `cell` on.
  static LaneRow through(unsigned lane, unsigned cell, unsigned stride) {
    return {static_cast<std::int16_t>(static_cast<int>(lane * stride) - static_cast<int>(cell)),
            static_cast<std::uint16_t>(stride)};
  }
  unsigned lane(unsigned cell) const {
    return static_cast<unsigned>(static_cast<int>(cell) + base) / stride & 31;
  }
  /// True where this names the lanes of the other row too, of which each touches the first cells
  /// that it has there.
  /// @param each cells of a lane.
  bool includes(LaneRow other, unsigned each) const {
    const int further = base - other.base;
    return stride == other.stride && further >= 0 &&
           further + static_cast<int>(each) <= static_cast<int>(stride);
  }
  bool operator==(const LaneRow&) const = default;
};

/// Which lane of a warp touched which cell of a line. Where several did, only one is kept.
///
/// Nearly always the lanes form a row. Others are kept in a table. Entries for cells that no lane
/// touched mean nothing: the caller knows the cells.
class LineLanes {
 public:
  LineLanes() = default;  ///< says nothing yet
  explicit LineLanes(LaneRow row) : several_(0), row_(row), has_table_(false) {}

  unsigned lane(unsigned cell) const { return has_table_ ? table_[cell] : row_.lane(cell); }
  /// Cells that several lanes touched.
  std::uint32_t several() const { return several_; }
  bool has_several(unsigned cell) const { return several_ >> cell & 1; }
  /// Without one the lanes form a row.
  bool has_table() const { return has_table_; }
  LaneRow row() const { return row_; }
  bool is_row(LaneRow row) const { return !has_table_ && row_ == row; }
  bool is_same_row(const LineLanes& other) const { return !other.has_table_ && is_row(other.row_); }

  /// The cells among these that one and the same lane touched here and there.
  std::uint32_t same_lane(const LineLanes& other, std::uint32_t cells) const {
    cells &= ~(several_ | other.several_);
    if (is_same_row(other)) return cells;
    std::uint32_t same = 0;
    for_cells(cells, [&](unsigned cell) {
      same |= static_cast<std::uint32_t>(lane(cell) == other.lane(cell)) << cell;
    });
    return same;
  }

  /// A lane of the same instruction, higher than all before, touches 1 << shift cells from `cell`
  /// on: all new, or all there already.
  /// @param known the cells that were touched before.
  void add(std::uint32_t known, unsigned lane, unsigned cell, unsigned shift) {
    const std::uint32_t cells = ~0u >> (32 - (1u << shift)) << cell;
    if (known & cells) return add_again(cells);
    const LaneRow row = LaneRow::through(lane, cell, 1u << shift);
    if (is_row(row)) return;
    const auto first = static_cast<unsigned>(std::countr_zero(known));
    if (!has_table_ && row_ == LaneRow::of_one(row_.lane(0)) &&
        row == LaneRow::through(row_.lane(0), first, 1u << shift)) {
      row_ = row;
      return;
    }
    make_table();
    for_cells(cells, [&](unsigned c) { table_[c] = static_cast<std::uint8_t>(lane); });
  }

  /// A lane of the same instruction touches cells that another has touched.
  void add_again(std::uint32_t cells) { several_ |= cells; }

  /// Other threads also touch cells.
  /// @param known the cells that were touched before.
  void join(std::uint32_t known, const LineLanes& others, std::uint32_t cells) {
    std::uint32_t several = (several_ & known) | (others.several_ & cells);
    if (!is_same_row(others)) {
      make_table();
      for_cells(cells, [&](unsigned cell) {
        const auto lane = static_cast<std::uint8_t>(others.lane(cell));
        if (!(known >> cell & 1))
          table_[cell] = lane;
        else if (table_[cell] != lane)
          several |= 1u << cell;
      });
    }
    several_ = several;
  }

 private:
  void make_table() {
    if (has_table_) return;
    for (unsigned cell = 0; cell < cells_per_line; ++cell)
      table_[cell] = static_cast<std::uint8_t>(row_.lane(cell));
    has_table_ = true;
  }
  std::uint32_t several_;
  LaneRow row_;
  bool has_table_;
  std::uint8_t table_[cells_per_line];
};

}  // namespace warpwise::watch
