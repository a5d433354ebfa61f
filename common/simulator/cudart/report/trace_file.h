#pragma once
#include <optional>
#include <string>

#include "simulator/watch/report/trace.h"

namespace warpwise::cudart {

/// A trace for a launch of the kernel, where the settings ask for one.
/// @param kernel demangled.
std::optional<watch::Trace> wanted_trace(const std::string& kernel);

/// Writes the launch's trace to the file of the settings, which replaces that of an earlier launch;
/// writes nothing where the launch had no such block or warp. A file that cannot be written ends
/// the program with status 3.
void keep_trace(const watch::Trace& trace, const watch::LaunchReport& launch);

}  // namespace warpwise::cudart
