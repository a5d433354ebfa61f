#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>

#include "simulator/watch/cells/access_event.h"
#include "simulator/watch/cells/line_lanes.h"

namespace warpwise::watch {

/// Cells side by side in one line, of which neighbouring lanes touch as many each.
struct LaneRun {
  std::uint64_t line;
  unsigned cell, count;  ///< the first, and how many
  unsigned lane;         ///< of the first cell

  std::uint32_t cells() const { return ~0u >> (cells_per_line - count) << cell; }
};

/// No instruction has more runs: one for each lane, or fewer that reach into the next lines.
constexpr unsigned most_lane_runs = 64;

/// The lanes that do not start right at the end of the lane before.
std::uint32_t run_starts(const AccessEvent& event);

/// Calls visit(run) for all cells of the event, in the order of its lanes.
/// @param event addresses are multiples of its width. @param shift log2 of a cell's bytes.
template <class Visit>
void for_lane_runs(const AccessEvent& event, unsigned shift, Visit visit) {
  const unsigned each = cells_of_lane(event, shift);
  const bool is_one = event.is_consecutive && event.mask == ~0u;
  const std::uint32_t starts = is_one ? 1 : run_starts(event);
  if (starts == event.mask)  // no lane goes on with another
    return for_cells(starts, [&](unsigned lane) {
      const std::uint64_t first = event.addresses[lane] >> shift;
      visit(LaneRun{first / cells_per_line, static_cast<unsigned>(first % cells_per_line), each,
                    lane});
    });
  const std::uint64_t ends = starts | ~std::uint64_t{event.mask};
  for (std::uint32_t left = starts; left; left &= left - 1) {
    auto lane = static_cast<unsigned>(std::countr_zero(left));
    const auto lanes = 1 + static_cast<unsigned>(std::countr_zero(ends >> (lane + 1)));
    std::uint64_t first = event.addresses[lane] >> shift;
    for (unsigned cells = lanes * each; cells;) {
      const auto cell = static_cast<unsigned>(first % cells_per_line);
      const unsigned count = std::min(cells, cells_per_line - cell);
      visit(LaneRun{first / cells_per_line, cell, count, lane});
      first += count;
      lane += count / each;
      cells -= count;
    }
  }
}

}  // namespace warpwise::watch
