#pragma once
#include <string>

#include "tutor/course/course.h"

namespace warpwise::tutor {

/// Names what a learner changed outside of the blank: a mark that is gone, or the first line that
/// is not the stub's.
/// @return one sentence; empty where nothing is changed.
/// @throws Failure (status 3) when a file cannot be read.
std::string changed_outside_blank(const Exercise& exercise);

}  // namespace warpwise::tutor
