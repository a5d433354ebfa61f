#pragma once
#include <filesystem>
#include <string>

#include "tutor/course/course.h"
#include "tutor/system/context.h"

namespace warpwise::tutor {

/// Replaces the learner's file by the stub and keeps the old text; see replace_and_keep.
/// @return where the old text is now; empty when there was nothing to keep.
/// @throws Failure: status 3 when it cannot be done, with nothing lost; 1 when the frame has no
///   blank.
std::filesystem::path reset_to_stub(const Context& context, const Exercise& exercise);

/// `learn reset NAME`: asks on a terminal, then resets.
/// @param yes does not ask. Without a terminal the question cannot be asked: then it is needed.
int reset_command(const Context& context, const std::string& name, bool yes);

}  // namespace warpwise::tutor
