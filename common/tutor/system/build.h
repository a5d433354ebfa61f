#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "tutor/system/context.h"

namespace warpwise::tutor {

/// Runs the build for some targets (no targets: all), its output kept in learn.log of the build
/// folder. One line shows what is built and how far: on a terminal it changes, in a pipe it comes
/// again every few seconds. Gives way to what is more urgent (Context::urgency), and goes on then.
/// @throws Failure: status 3 when the build folder cannot be written or cmake cannot be started, 1
///   with the first error and the log's path when something does not compile; Interrupted.
void make_targets(const Context& context, const std::vector<std::string>& targets);

/// @return what the last whole line of a build's output tells: "building the simulator [36/62]";
/// empty when it tells nothing.
std::string build_progress(std::string_view log);

/// @return the first error of a build's output with the lines that belong to it; the last lines
/// when
///   there is none.
std::string first_error(std::string_view log);

}  // namespace warpwise::tutor
