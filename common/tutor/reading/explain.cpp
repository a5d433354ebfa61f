#include "tutor/reading/explain.h"

#include <fmt/format.h>

#include "base/frame.h"
#include "tutor/attempt/difference.h"
#include "tutor/course/names.h"
#include "tutor/course/progress.h"
#include "tutor/course/state.h"
#include "tutor/reading/hint.h"
#include "tutor/reading/page.h"
#include "tutor/system/failure.h"
#include "tutor/system/files.h"

namespace warpwise::tutor {

namespace fs = std::filesystem;

namespace {

void require_solved(const Context& context, const Exercise& exercise) {
  const Progress progress = read_progress(context);
  if (was_solved(progress, exercise)) return;
  const std::string now = state(progress, exercise);
  throw Failure(status_wrong,
                fmt::format("the explanation of {0} comes when it is solved; now it is: {1}\n"
                            "  ./learn {2} {0}",
                            exercise.id(), now, now == "not solved yet" ? "hint" : "run"));
}

// The sections up to the instructor's note.
std::string for_learners(const std::string& explanation, std::size_t width) {
  std::string text;
  for (const Section& section : sections(explanation)) {
    if (section.heading == instructors_note) break;
    text += fmt::format("{}\n\n{}\n", section.heading, wrapped(section.text, width, "  "));
  }
  return text;
}

// The parts in which two texts differ: the blanks where the frames agree, else all of it.
std::pair<std::string, std::string> to_compare(const std::string& mine, const std::string& ours) {
  try {
    const lesson::Frame left = lesson::parse_frame(mine), right = lesson::parse_frame(ours);
    if (lesson::same_code(left.before, right.before) &&
        lesson::same_code(left.after, right.after)) {
      return {left.blank, right.blank};
    }
  } catch (const lesson::FrameError&) {
    // The learner took the marks away.
  }
  return {mine, ours};
}

// Where the learner had to find a bug: the program that was given, next to the solution.
std::string repair(const Exercise& exercise) {
  const std::string given = stub_of(exercise);
  if (!lesson::is_find_the_bug(given)) return {};
  const auto [left, right] = to_compare(given, read_text(exercise.frame));
  return differences_text("as given", left, "repaired", right, terminal_width()) + "\n";
}

std::string solution_beside(const Exercise& exercise) {
  const std::string mine = read_text(exercise.learner), ours = read_text(exercise.frame);
  if (lesson::same_code(mine, ours)) return "Your text and the solution are the same.\n";
  const auto [left, right] = to_compare(mine, ours);
  return differences_text("yours", left, "solution", right, terminal_width());
}

}  // namespace

std::string explanation_text(const Context& context, const Exercise& exercise) {
  require_solved(context, exercise);
  const std::size_t width = page_width();
  std::error_code ignored;
  std::string text;
  if (fs::exists(exercise.explanation, ignored) || !exercise.exported) {
    text = for_learners(read_text(exercise.explanation), width);
  }
  if (!exercise.exported) return text + repair(exercise) + solution_beside(exercise);
  return text +
         wrapped(fmt::format("This course was handed out without solutions{}; its instructor has "
                             "them. The solution's counts are here: ./learn compare {}",
                             text.empty() ? " and explanations" : "", exercise.id()),
                 width);
}

int explain_command(const Context& context, const std::string& name) {
  const Course course = read_course(context.root);
  const Exercise& exercise =
      name.empty() ? current_exercise(context, course) : find_exercise(course, name);
  fmt::print("{}", explanation_text(context, exercise));
  return status_ok;
}

}  // namespace warpwise::tutor
