#pragma once
#include "tutor/author/check_item.h"
#include "tutor/course/course.h"
#include "tutor/system/context.h"

namespace warpwise::tutor {

/// One item for all adversaries of an exercise on a kernel (adversaries.h) or on host code
/// (program_adversaries.h): each is compiled and judged as a learner's file, below
/// build/adversaries/. One that passes is a failure of the exercise, unless the check says why it
/// does the same as the solution; then one that does not pass is. The finding says how each one
/// ends; what does not apply, or does not compile, counts for nothing, and with nothing that counts
/// the item fails.
/// @pre the check program is built.
CheckItem adversary_item(const Context& context, const Exercise& exercise);

}  // namespace warpwise::tutor
