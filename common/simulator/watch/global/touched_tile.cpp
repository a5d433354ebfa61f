#include "simulator/watch/global/touched_tile.h"

#include <algorithm>

namespace warpwise::watch {

void TouchedTile::start(std::uint64_t at) {
  number = at;
  accessed.clear();
  for (TileCells& cells : first_touched) cells.clear();
  std::fill(std::begin(lines), std::end(lines), 0);
  columns.clear();
  keys_.clear();
}

TouchedTile::Column* TouchedTile::find_column(const Accessor& by) {
  const std::uint32_t key = TouchedTile::key(by);
  for (std::size_t i = 0; i < keys_.size(); ++i)
    if (keys_[i] == key && columns[i].by == by) return &columns[i];
  return nullptr;
}

TouchedTile::Column& TouchedTile::add_column(const Accessor& by, const ColumnLanes& lanes) {
  keys_.push_back(key(by));
  return columns.emplace_back(by, lanes);
}

void TouchedTile::drop_columns() {
  std::erase_if(columns, [](const Column& column) { return column.is_over(); });
  keys_.clear();
  for (const Column& column : columns) keys_.push_back(key(column.by));
}

std::uint32_t TouchedTile::touched() const {
  std::uint32_t result = 0;
  for (unsigned line = 0; line < lines_per_tile; ++line)
    result |= static_cast<std::uint32_t>(accessed[line] != 0) << line;
  return result;
}

}  // namespace warpwise::watch
