#pragma once
#include <cstdint>

#include "simulator/watch/global/touched_tile.h"

namespace warpwise::watch {

/// The owner of a cell of memory between two barriers: none, a thread that has only read it (1 +
/// its number) or that has written it too, threads that read it, or those that touch it by strong
/// accesses. While each cell is one of these, no two accesses of the block race with each other, in
/// whatever order they come.
using CellOwner = std::uint16_t;

struct CellOwners {
  static constexpr CellOwner nobody = 0, writes = 1 << 11, readers = 1 << 12, updaters = 1 << 13;

  /// Neighbouring cells, of which each thread touches 1 << shift.
  /// @param owners in,out: of the cells. @param thread 1 + number of the first.
  /// @return false where a cell is another's.
  static bool add_row(LineAccess::Kind kind, CellOwner* owners, unsigned count, unsigned thread,
                      unsigned each_shift);
  /// A cell for each of some threads, each so many cells after the one before.
  /// @param owners in,out: from the first cell on. @param thread 1 + number of the first.
  /// @param step 1 to most_step. @return false where a cell is another's.
  static bool add_column(LineAccess::Kind kind, CellOwner* owners, unsigned threads, unsigned step,
                         unsigned thread);
  static constexpr unsigned most_step = 8;
  /// A cell for each lane of the mask, anywhere.
  /// @param owners in,out: of all cells. @param cells by lane. @param thread 1 + number of lane 0.
  static bool add_lanes(LineAccess::Kind kind, CellOwner* owners, const std::uint16_t* cells,
                        std::uint32_t mask, unsigned thread);
};

}  // namespace warpwise::watch
