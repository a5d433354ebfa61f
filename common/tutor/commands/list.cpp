#include <fmt/format.h>

#include "tutor/command.h"
#include "tutor/course/course.h"
#include "tutor/course/state.h"
#include "tutor/system/failure.h"
#include "tutor/system/files.h"
#include "tutor/update/rebuild.h"

namespace warpwise::tutor {
namespace {

std::string as_table(const Context& context, const Course& course, const Progress& progress) {
  std::string text;
  std::size_t solved = 0, all = 0;
  for (const Chapter& chapter : course.chapters) {
    const std::string heading = title(chapter);
    text += fmt::format("{}{}\n", chapter.name, heading == chapter.name ? "" : "  " + heading);
    for (const Exercise& exercise : chapter.exercises) {
      const std::string word = mark_text(progress, exercise);
      ++all;
      if (was_solved(progress, exercise)) ++solved;
      text += fmt::format("{} {:22} {:28} {}\n", is_current(progress, exercise) ? '>' : ' ',
                          exercise.name, word,
                          exercise.learner.lexically_relative(context.root).string());
    }
  }
  return text + fmt::format("{} of {} exercises are solved\n", solved, all);
}

}  // namespace

std::string list_text(const Context& context) {
  return as_table(context, read_course(context.root), read_progress(context));
}

int list_command(const Context& context) {
  fmt::print(stderr, "{}", rebuild_progress(context, read_course(context.root)));
  fmt::print("{}", list_text(context));
  return status_ok;
}

}  // namespace warpwise::tutor
