#include <fmt/format.h>

#include "tutor/attempt/attempt.h"
#include "tutor/command.h"
#include "tutor/course/chapter_program.h"
#include "tutor/course/course.h"
#include "tutor/course/names.h"
#include "tutor/system/failure.h"
#include "tutor/system/process.h"

namespace warpwise::tutor {

namespace {

int run_chapter(const Context& context, const Chapter& chapter,
                const std::vector<std::string>& flags) {
  if (!chapter.has_program) {
    throw Failure(status_usage, fmt::format("{} has no main.cu: it is a chapter without a program",
                                            chapter.name));
  }
  become(chapter_program(context, chapter, flags));
}

int run_exercise(const Context& context, const Exercise& exercise,
                 const std::vector<std::string>& flags) {
  const Attempt result =
      attempt(context, exercise, flags, [&] { context.make(context, targets_of(exercise)); });
  fmt::print("{}", result.text);
  return result.passed() ? status_ok : status_wrong;
}

}  // namespace

int run_command(const Context& context, const std::string& name,
                const std::vector<std::string>& flags) {
  const Course course = read_course(context.root);
  const Found found = find(course, name);
  if (found.exercise != nullptr) return run_exercise(context, *found.exercise, flags);
  return run_chapter(context, *found.chapter, flags);
}

}  // namespace warpwise::tutor
