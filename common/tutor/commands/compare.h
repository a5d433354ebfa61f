#pragma once
#include <string>

#include "tutor/course/course.h"
#include "tutor/system/context.h"

namespace warpwise::tutor {

/// `learn compare NAME`: the learner's answer and the solution side by side: verdicts, counts,
/// occupancy, time on a GPU where there is one, and one sentence on what differs. It works also
/// where the learner's file is still the stub or does not compile.
/// @return the text, each line with its newline; 60 columns where the words allow it.
/// @throws Failure: status 3 when something cannot be judged here; Interrupted.
std::string compare_text(const Context& context, const Exercise& exercise);

/// The same as JSON: "exercise", "yours" and "solution" (verdict, size), "counts", "differences",
/// "conclusion".
std::string compare_json(const Context& context, const Exercise& exercise);

/// `learn compare NAME [--json]`.
/// @return 0, whatever the verdicts.
/// @throws Failure: status 2 when NAME is not an exercise; otherwise as compare_text.
int compare_command(const Context& context, const std::string& name, bool json);

}  // namespace warpwise::tutor
