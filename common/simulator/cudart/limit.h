#pragma once
#include "simulator/cudart/report.h"

namespace warpwise::cudart {

/// Ends the process with status 1 and a message after so many seconds from now; 0: never.
void start_limit(double seconds, Reporter& reporter);

}  // namespace warpwise::cudart
