#pragma once
#include <string>

#include "tutor/course/course.h"
#include "tutor/system/context.h"

namespace warpwise::tutor {

/// Makes a damaged progress file again: judges every exercise that the learner has edited, and
/// says through Context::say() how far it is. The hints that were shown are forgotten.
/// @return for people: what was damaged, under which name it is kept, and what passes; empty when
///   nothing was damaged.
/// @throws Failure (status 3) when it cannot be written or the checks cannot be built.
std::string rebuild_progress(const Context& context, const Course& course);

}  // namespace warpwise::tutor
