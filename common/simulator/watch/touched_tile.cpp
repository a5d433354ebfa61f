#include "simulator/watch/touched_tile.h"

#include <algorithm>

namespace warpwise::watch {

void TouchedTile::start(std::uint64_t at) {
  number = at;
  accessed.clear();
  for (TileCells& cells : contacted) cells.clear();
  std::fill(std::begin(lines), std::end(lines), 0);
  columns.clear();
}

}  // namespace warpwise::watch
