#pragma once
#include <string>
#include <string_view>

#include "tutor/course/course.h"
#include "tutor/system/context.h"

namespace warpwise::tutor {

/// The heading of the section of an explanation that learners do not see.
inline constexpr std::string_view instructors_note = "For the instructor";

/// The explanation of an exercise without the note for the instructor, and the solution next to the
/// learner's text; as wide as the terminal.
/// @throws Failure: status 1 when the exercise is not solved yet, with the next step; status 3 when
///   a file cannot be read.
std::string explanation_text(const Context& context, const Exercise& exercise);

/// `learn explain NAME`: prints explanation_text.
/// @param name empty: the current exercise.
int explain_command(const Context& context, const std::string& name);

}  // namespace warpwise::tutor
