#pragma once
#include <string>

#include "tutor/course/course.h"
#include "tutor/system/context.h"

namespace warpwise::tutor {

/// `learn view NAME`: a picture of the memory accesses of the learner's answer, line by line of
/// their file: requests, and the sectors or wavefronts of each. The stub, and a text that does not
/// compile or run, say so and what to do.
/// @return the text, each line with its newline.
/// @throws Failure: status 3 when it cannot be judged here; Interrupted.
std::string view_text(const Context& context, const Exercise& exercise);

/// `learn view NAME`.
/// @return 0 with a picture, 1 without.
/// @throws Failure: status 2 when NAME is not an exercise, or of the kind that touches no memory;
///   otherwise as view_text.
int view_command(const Context& context, const std::string& name);

}  // namespace warpwise::tutor
