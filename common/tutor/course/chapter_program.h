#pragma once
#include <string>
#include <vector>

#include "tutor/course/course.h"
#include "tutor/system/context.h"

namespace warpwise::tutor {

/// Builds a chapter's program, for the GPU that the flags name, and the simulator. It takes minutes
/// and gives way to the verdicts of saves. The chapter's target also makes the images of the
/// learner's files; one that does not compile costs its own row only.
/// @return the words that start the program with the flags.
/// @throws Failure as make_targets().
std::vector<std::string> chapter_program(Context context, const Chapter& chapter,
                                         const std::vector<std::string>& flags);

}  // namespace warpwise::tutor
