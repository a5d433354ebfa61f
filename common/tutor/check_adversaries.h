#pragma once
#include "tutor/check_item.h"
#include "tutor/context.h"
#include "tutor/course.h"

namespace warpwise::tutor {

/// One item for all adversaries of an exercise on a kernel (adversaries.h): each is compiled and
/// judged as a learner's file, below build/adversaries/. One that passes is a failure of the
/// exercise. The finding says how each one ends; what does not apply, or does not compile, counts
/// for nothing, and with nothing that counts the item fails.
/// @pre the check program is built.
CheckItem adversary_item(const Context& context, const Exercise& exercise);

}  // namespace warpwise::tutor
