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

std::uint32_t TouchedTile::touched() const {
  std::uint32_t result = 0;
  for (unsigned line = 0; line < lines_per_tile; ++line)
    result |= static_cast<std::uint32_t>(accessed[line] != 0) << line;
  return result;
}

}  // namespace warpwise::watch
