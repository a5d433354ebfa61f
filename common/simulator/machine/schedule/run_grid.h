#pragma once
#include "simulator/machine/schedule/grid.h"
#include "simulator/watch/report/report.h"

namespace warpwise::machine {

/// Runs all blocks on as many host threads as the grid has runners and joins what they saw. The
/// report does not depend on their number: a stopped launch has no counts, because blocks after the
/// fault may have run or not.
void run_grid(Grid& grid, watch::LaunchReport& report);

}  // namespace warpwise::machine
