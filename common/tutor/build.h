#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "tutor/context.h"

namespace warpwise::tutor {

/// Runs the build for some targets (no targets: all), its output kept in learn.log of the build
/// folder. On a terminal one line of stderr shows how far it is.
/// @throws Failure: status 3 when the build folder cannot be written or cmake cannot be started, 1
///   with the first error and the log's path when something does not compile; Interrupted.
void make_targets(const Context& context, const std::vector<std::string>& targets);

/// @return the first error of a build's output with the lines that belong to it; the last lines
/// when
///   there is none.
std::string first_error(std::string_view log);

}  // namespace warpwise::tutor
