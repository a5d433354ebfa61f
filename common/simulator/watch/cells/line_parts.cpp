#include "simulator/watch/cells/line_parts.h"

#include <algorithm>

#include "simulator/isa/fast_loops.h"
#include "simulator/watch/cells/small_index.h"

namespace warpwise::watch {

std::uint64_t stride_of(const AccessEvent& event, const AddressShape& shape, unsigned shift) {
  const bool is_one_lane = (event.mask & (event.mask - 1)) == 0;
  const bool has_cells = (shape.stride & ((1u << shift) - 1)) == 0;
  if (is_one_lane || !shape.is_regular || !has_cells) return 0;
  const std::uint64_t cells = shape.stride >> shift;
  return cells >= cells_of_lane(event, shift) && cells < 1u << 20 ? cells : 0;
}

LineParts::LineParts(const AccessEvent& event, unsigned shift, std::uint64_t stride) {
  if (event.is_consecutive && event.mask == ~0u)
    consecutive(event.addresses[0] >> shift, event.bytes >> shift);
  else if (stride)
    equally_apart(event, shift, stride);
  else
    lane_by_lane(event, shift);
}

/// @param first cell of lane 0. @param each cells of a lane.
void LineParts::consecutive(std::uint64_t first, unsigned each) {
  const std::uint64_t end = first + 32ull * each;
  for (std::uint64_t line = first / cells_per_line; line * cells_per_line < end; ++line) {
    const std::uint64_t start = line * cells_per_line;
    LinePart& part = parts_[count_++];
    part.line = line;
    part.cells = ~0u;
    if (first > start) part.cells &= ~0u << (first - start);
    if (end < start + cells_per_line) part.cells &= ~0u >> (start + cells_per_line - end);
    part.lanes =
        LineLanes(LaneRow{static_cast<std::int16_t>(static_cast<std::int64_t>(start - first)),
                          static_cast<std::uint16_t>(each)});
  }
}

/// Lines come one after another, and so do their lanes.
void LineParts::equally_apart(const AccessEvent& event, unsigned shift, std::uint64_t stride) {
  const std::uint32_t first_cells = ~0u >> (32 - cells_of_lane(event, shift));
  for (std::uint32_t left = event.mask; left; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    const std::uint64_t first = event.addresses[lane] >> shift;
    const auto cell = static_cast<unsigned>(first % cells_per_line);
    if (count_ == 0 || parts_[count_ - 1].line != first / cells_per_line) {
      const LaneRow row = stride < cells_per_line
                              ? LaneRow::through(lane, cell, static_cast<unsigned>(stride))
                              : LaneRow::of_one(lane);
      parts_[count_++] = {first / cells_per_line, 0, LineLanes(row)};
    }
    parts_[count_ - 1].cells |= first_cells << cell;
  }
}

WARPWISE_FAST_LOOPS void LineParts::lane_by_lane(const AccessEvent& event, unsigned shift) {
  const unsigned each = cells_of_lane(event, shift);
  const auto each_shift = static_cast<unsigned>(std::countr_zero(each));
  const std::uint32_t first_cells = ~0u >> (32 - each);
  SmallIndex<32> lines;
  std::uint64_t before = ~0ull;  // first cell of the lane before
  for (std::uint32_t left = event.mask; left; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    const std::uint64_t first = event.addresses[lane] >> shift;
    const unsigned cell = first % cells_per_line, index = lines.at(first / cells_per_line);
    LinePart& part = parts_[index];
    if (first == before) {
      part.lanes.add_again(first_cells << cell);
      continue;
    }
    before = first;
    if (index == count_) {
      ++count_;
      part.line = first / cells_per_line;
      part.cells = 0;
      part.lanes = LineLanes(LaneRow::of_one(lane));
    } else {
      part.lanes.add(part.cells, lane, cell, each_shift);
    }
    part.cells |= first_cells << cell;
  }
}

}  // namespace warpwise::watch
