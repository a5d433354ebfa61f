#include "simulator/watch/cells/column_parts.h"

#include <algorithm>

namespace warpwise::watch {
ColumnParts::ColumnParts(const AccessEvent& event, unsigned shift, std::uint64_t stride) {
  const unsigned each = cells_of_lane(event, shift);
  const std::uint32_t first_cells = ~0u >> (32 - each);
  if (stride) {
    const auto lanes =
        static_cast<unsigned>(32 - std::countl_zero(event.mask) - std::countr_zero(event.mask));
    const std::uint64_t reach = stride * lanes / cells_per_line;  // lines
    if (reach < fewest_lines || reach > most * lines_per_tile) return;
    if (event.mask == ~0u && stride < cells_per_line) {
      equally_apart(event, shift, static_cast<unsigned>(stride));
      return;
    }
  }
  const auto row = static_cast<unsigned>(
      stride == 0 || stride > cells_per_line ? std::uint64_t{cells_per_line} : stride);
  unsigned lines = 0;
  ColumnPart* part = nullptr;
  for (std::uint32_t left = event.mask; left; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    const std::uint64_t first = event.addresses[lane] >> shift;
    const std::uint64_t tile = first / (cells_per_line * lines_per_tile);
    const auto line = static_cast<unsigned>(first / cells_per_line % lines_per_tile);
    const auto cell = static_cast<unsigned>(first % cells_per_line);
    if (!part || part->tile != tile) part = find(tile, each);
    const bool is_new = part && !(part->lines >> line & 1);
    if (!part || (!is_new && stride == 0)) {
      count_ = 0;
      return;
    }
    part->cells[line] |= first_cells << cell;
    if (!is_new) continue;
    ++lines;
    part->lines |= 1u << line;
    part->lanes.of[line] =
        row == cells_per_line ? LaneRow::of_one(lane) : LaneRow::through(lane, cell, row);
  }
  if (lines < fewest_lines * count_) count_ = 0;
}

/// All lanes, several in a line: line by line.
void ColumnParts::equally_apart(const AccessEvent& event, unsigned shift, unsigned stride) {
  const unsigned each = cells_of_lane(event, shift);
  std::uint64_t all = 0;  // the cells of lanes from cell 0 on, as far as a line reaches
  for (unsigned cell = 0; cell < cells_per_line; cell += stride)
    all |= (~0ull >> (64 - each)) << cell;
  std::uint64_t first = event.addresses[0] >> shift;
  unsigned lane = 0, lines = 0;
  for (; lane < 32; ++lines) {
    const std::uint64_t tile = first / (cells_per_line * lines_per_tile);
    const auto line = static_cast<unsigned>(first / cells_per_line % lines_per_tile);
    const auto cell = static_cast<unsigned>(first % cells_per_line);
    const unsigned rest = std::min((cells_per_line - cell + stride - 1) / stride, 32 - lane);
    ColumnPart* const part =
        count_ && parts_[count_ - 1].tile == tile ? &parts_[count_ - 1] : find(tile, each);
    part->cells[line] = static_cast<std::uint32_t>((all & ((1ull << rest * stride) - 1)) << cell);
    part->lines |= 1u << line;
    part->lanes.of[line] = LaneRow::through(lane, cell, stride);
    lane += rest;
    first += std::uint64_t{rest} * stride;
  }
  if (lines < fewest_lines * count_) count_ = 0;
}

/// The part of that tile, a new one where there is none yet; null: there are too many.
ColumnPart* ColumnParts::find(std::uint64_t tile, unsigned each) {
  for (unsigned i = 0; i < count_; ++i)
    if (parts_[i].tile == tile) return &parts_[i];
  if (count_ == most) return nullptr;
  ColumnPart& part = parts_[count_++];
  part.tile = tile;
  part.lines = 0;
  part.each = each;
  part.cells.clear();
  std::fill(std::begin(part.lanes.of), std::end(part.lanes.of), ColumnLanes::nobody);
  return &part;
}

}  // namespace warpwise::watch
