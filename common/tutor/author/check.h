#pragma once
#include <functional>
#include <string>
#include <vector>

#include "tutor/author/check_item.h"
#include "tutor/course/course.h"
#include "tutor/course/tally.h"
#include "tutor/system/context.h"

namespace warpwise::tutor {

/// Checks that need no compiling: the six files, the stub's text, hints, explanation, README.
std::vector<CheckItem> paper_items(const Chapter& chapter, const Exercise& exercise);

/// Checks that compile and judge: stub, solution, every mistake.
/// @pre the check program of the exercise is built.
std::vector<CheckItem> judged_items(const Context& context, const Exercise& exercise);

/// Looks at all items on as many threads as there are cores, and reports the line of each finding
/// once those before it are reported: a user who waits sees how far it is.
/// @param tell is called by one thread at a time.
/// @throws Interrupted.
Tally look_at_all(const std::vector<CheckItem>& items,
                  const std::function<void(const std::string& line)>& tell);

/// Files and folders among the lessons that belong to nothing.
CheckItem stray_item(const Course& course);

}  // namespace warpwise::tutor
