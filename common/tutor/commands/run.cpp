#include <fmt/format.h>

#include <algorithm>

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

constexpr const char* flags_of_an_exercise = "[--device auto|gpu|sim] [--gpu NAME] [--view]";

// The check knows more flags, but those are for us. It says itself which values it takes.
void refuse_other_flags(const std::vector<std::string>& flags) {
  for (std::size_t i = 0; i < flags.size(); ++i) {
    const std::string name = flags[i].substr(0, flags[i].find('='));
    if (name == "--view") continue;
    if (name != "--device" && name != "--gpu") {
      throw Failure(status_usage, fmt::format("{} is not a flag of an exercise; these are: {}",
                                              flags[i], flags_of_an_exercise));
    }
    if (name == flags[i]) ++i;  // its value
  }
}

int run_exercise(const Context& context, const Exercise& exercise,
                 const std::vector<std::string>& flags) {
  const auto asks = [](const std::string& flag) { return flag == "--help" || flag == "-h"; };
  if (std::any_of(flags.begin(), flags.end(), asks)) {
    fmt::print("usage: ./learn run {} {}\n", exercise.short_id(), flags_of_an_exercise);
    return status_ok;
  }
  refuse_other_flags(flags);
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
