#include "tutor/commands/reset.h"

#include <fmt/format.h>

#include "base/frame.h"
#include "tutor/course/names.h"
#include "tutor/course/state.h"
#include "tutor/system/ask.h"
#include "tutor/system/failure.h"
#include "tutor/system/files.h"
#include "tutor/update/keep.h"

namespace warpwise::tutor {

namespace fs = std::filesystem;

fs::path reset_to_stub(const Context& context, const Exercise& exercise) {
  return replace_and_keep(context, exercise.learner, stub_of(exercise));
}

int reset_command(const Context& context, const std::string& name, bool yes) {
  const Course course = read_course(context.root);
  const Exercise& exercise = find_exercise(course, name);
  const std::string file = shown(exercise.learner);
  std::error_code ignored;
  const bool is_there = fs::exists(exercise.learner, ignored);
  if (is_there && has_text(exercise.learner, stub_of(exercise))) {
    fmt::print("{} is its stub already\n", file);
    return status_ok;
  }
  // Where the file is gone, nothing can be lost.
  const bool is_agreed = yes || !is_there;
  if (!is_agreed && !can_ask()) {
    throw Failure(status_usage, fmt::format("cannot ask without a terminal: ./learn reset --yes {}",
                                            exercise.id()));
  }
  if (!is_agreed && !ask(fmt::format("Put {} back to its stub? Your text is kept.", file))) {
    fmt::print("{} stays as it is\n", file);
    return status_ok;
  }
  const fs::path kept = reset_to_stub(context, exercise);
  fmt::print("{} is its stub again\n", file);
  if (!kept.empty()) {
    fmt::print("your text is kept: {0}\nto get it back: cp {0} {1}\n", shown(kept), file);
  }
  return status_ok;
}

}  // namespace warpwise::tutor
