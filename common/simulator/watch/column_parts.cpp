#include "simulator/watch/column_parts.h"

#include <algorithm>

namespace warpwise::watch {

ColumnParts::ColumnParts(const AccessEvent& event, unsigned shift) {
  if (event.is_consecutive && event.mask == ~0u) return;
  const std::uint32_t first_cells = ~0u >> (32 - std::max(1u, event.bytes >> shift));
  ColumnPart* part = nullptr;
  for (std::uint32_t left = event.mask; left; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    const std::uint64_t first = event.addresses[lane] >> shift;
    const std::uint64_t tile = first / (cells_per_line * lines_per_tile);
    const auto line = static_cast<unsigned>(first / cells_per_line % lines_per_tile);
    if (!part || part->tile != tile) part = find(tile);
    if (!part || (part->lines & 1u << line)) {
      count_ = 0;
      return;
    }
    part->lines |= 1u << line;
    part->cells[line] = first_cells << first % cells_per_line;
    part->lanes.of[line] = static_cast<std::uint8_t>(lane);
  }
  if (static_cast<unsigned>(std::popcount(event.mask)) < fewest_lines * count_) count_ = 0;
}

/// The part of that tile, a new one where there is none yet; null: there are too many.
ColumnPart* ColumnParts::find(std::uint64_t tile) {
  for (unsigned i = 0; i < count_; ++i)
    if (parts_[i].tile == tile) return &parts_[i];
  if (count_ == most) return nullptr;
  ColumnPart& part = parts_[count_++];
  part.tile = tile;
  part.lines = 0;
  part.cells.clear();
  std::fill(std::begin(part.lanes.of), std::end(part.lanes.of), ColumnLanes::nobody);
  return &part;
}

}  // namespace warpwise::watch
