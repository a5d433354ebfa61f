#include "simulator/watch/launches/seen_cells.h"

#include "simulator/isa/fast_loops.h"

namespace warpwise::watch {

/// The cells that are in both.
WARPWISE_FAST_LOOPS std::uint32_t SeenCells::common(const std::uint32_t* a,
                                                    const std::uint32_t* b) {
  std::uint32_t both = 0;
  for (unsigned line = 0; line < lines_per_region; ++line) both |= a[line] & b[line];
  return both;
}

WARPWISE_FAST_LOOPS void SeenCells::join(std::uint32_t* __restrict cells,
                                         const std::uint32_t* __restrict others) {
  for (unsigned line = 0; line < lines_per_region; ++line) cells[line] |= others[line];
}

bool SeenCells::add(const SeenCells& others) {
  bool meets = false;
  for (const auto& [number, theirs] : others.regions_) {
    Region& mine = region(number);
    for (LineAccess::Kind kind : kinds)
      for (LineAccess::Kind other : kinds)
        if (conflict(kind, other) && theirs->cells[kind] && mine.cells[other])
          meets |= common(theirs->cells[kind], mine.cells[other]) != 0;
    for (LineAccess::Kind kind : kinds)
      if (theirs->cells[kind]) join(of_kind(mine, kind), theirs->cells[kind]);
  }
  return meets;
}

SeenCells::Region& SeenCells::region(std::uint64_t number) {
  Region*& region = regions_[number];
  if (!region) region = memory_.make<Region>();
  return *region;
}

}  // namespace warpwise::watch
