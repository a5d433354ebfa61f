#pragma once
#include <cstring>

#include "simulator/watch/cells/access_event.h"
#include "simulator/watch/cells/line_lanes.h"
#include "simulator/watch/cells/tile_cells.h"

namespace warpwise::watch {

/// Which lanes went through which line of a tile.
struct ColumnLanes {
  static constexpr LaneRow nobody = {0, 0};
  LaneRow of[lines_per_tile];  ///< by line

  bool operator==(const ColumnLanes& other) const {
    return std::memcmp(of, other.of, sizeof of) == 0;
  }
};

/// The cells of one tile that an instruction touches.
struct ColumnPart {
  std::uint64_t tile;   ///< address / bytes of a tile
  std::uint32_t lines;  ///< never 0
  unsigned each;        ///< cells of a lane
  TileCells cells;
  ColumnLanes lanes;
};

/// An instruction whose lanes go down columns: each touches a line of its own, or all have the same
/// large distance, and the lines are close together, as rows of a matrix are that each have a
/// thread, or structures in an array.
class ColumnParts {
 public:
  /// @param event addresses are multiples of its width. @param shift log2 of a cell's bytes.
  /// @param stride of the event.
  ColumnParts(const AccessEvent& event, unsigned shift, std::uint64_t stride);

  /// False where the lanes touch something else.
  bool any() const { return count_ != 0; }
  const ColumnPart* begin() const { return parts_; }
  const ColumnPart* end() const { return parts_ + count_; }

 private:
  void equally_apart(const AccessEvent& event, unsigned shift, unsigned stride);
  ColumnPart* find(std::uint64_t tile, unsigned each);

  static constexpr unsigned most = 5, fewest_lines = 3;  ///< tiles, and lines in each on average
  unsigned count_ = 0;
  ColumnPart parts_[most];
};

}  // namespace warpwise::watch
