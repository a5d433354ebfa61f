#pragma once
#include <optional>
#include <string>
#include <vector>

#include "tutor/course/course.h"
#include "tutor/system/context.h"

namespace warpwise::tutor {

/// One hint of an exercise.
struct Hint {
  int number = 0;    ///< from 1, in the order of the task's text.
  int of = 0;        ///< how many there are.
  std::string text;  ///< Markdown; each line ends with a newline.
  std::string kind;  ///< the diagnosis or gate it is about; empty for most.
};

/// All hints of an exercise: the sections of its task whose heading begins with "Hint". One about a
/// kind of diagnosis says so: "## Hint 2: out-of-bounds". A section without a text is not a hint.
/// @throws Failure (status 3) when the task cannot be read.
std::vector<Hint> hints_of(const Exercise& exercise);

/// The hint to show now, and remembers that it was shown and that the learner is at this exercise:
/// the one about the last verdict's diagnosis first, then in their order. A hint comes once.
/// @return nothing when all were shown.
/// @throws Failure (status 3) when the task or the progress cannot be read or written.
std::optional<Hint> next_hint(const Context& context, const Exercise& exercise);

/// Other help once all hints were shown: where to read them again, the lesson, and commands.
std::string after_the_hints(const Exercise& exercise);

/// The exercise that a command without a name is about: the one the learner was at last, else the
/// first that is not solved.
/// @throws Failure (status 2) when everything is solved.
const Exercise& current_exercise(const Context& context, const Course& course);

/// `learn hint [NAME]`: prints the next hint.
/// @param name empty: the current exercise.
int hint_command(const Context& context, const std::string& name);

}  // namespace warpwise::tutor
