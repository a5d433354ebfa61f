#pragma once
#include <string>

#include "tutor/system/context.h"

namespace warpwise::tutor {

/// Brings the course up to date without losing anything of the learner's; see plan_update for what
/// stays and what comes. When it fails, nothing has changed.
/// @param from a zip, a tar or a folder of the newer course; empty: what git's upstream has.
/// @return what was done, for people.
/// @throws Failure: status 3 when the newer course cannot be had or written, 1 for an archive that
///   is not one, 2 for something that is not a course.
std::string update_course(const Context& context, const std::string& from);

/// `learn update [--from FILE]`.
int update_command(const Context& context, const std::string& from);

}  // namespace warpwise::tutor
