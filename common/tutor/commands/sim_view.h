#pragma once
#include <string>

#include "tutor/commands/sim_report.h"

namespace warpwise::tutor {

/// The listing of `sim --view`: for each kernel, over all its launches, the source lines that touch
/// memory, with the requests, sectors and wavefronts that each of them caused.
/// @return several lines for each kernel; a sentence where no launch left any counts.
std::string sim_view(const SimReport& report);

}  // namespace warpwise::tutor
