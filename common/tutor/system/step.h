#pragma once
#include <string>

#include "tutor/system/context.h"
#include "tutor/system/process.h"

namespace warpwise::tutor {

/// Runs a program to its end. A line "progress: WHAT" of its output is printed at once, as
/// Context::say does.
/// @return the other lines.
/// @throws Failure (status 1) with the other lines when the program fails, or when it is not done
///   at its limit; Interrupted when the work is asked to stop.
std::string run_with_progress(const Context& context, Command command);

}  // namespace warpwise::tutor
