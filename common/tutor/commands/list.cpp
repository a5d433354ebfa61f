#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tutor/command.h"
#include "tutor/course/course.h"
#include "tutor/course/state.h"
#include "tutor/system/failure.h"
#include "tutor/system/files.h"
#include "tutor/update/rebuild.h"

namespace warpwise::tutor {
namespace {

using OrderedJson = nlohmann::ordered_json;

std::string relative(const Context& context, const std::filesystem::path& path) {
  return path.lexically_relative(context.root).string();
}

OrderedJson as_json(const Context& context, const Exercise& exercise, const Progress& progress) {
  OrderedJson object{{"id", exercise.id()},
                     {"file", relative(context, exercise.learner)},
                     {"state", state(progress, exercise)},
                     {"solved", was_solved(progress, exercise)}};
  const auto row = progress.exercises.find(exercise.id());
  if (row == progress.exercises.end()) return object;
  // A kind belongs to the verdict that the state is.
  if (state_text(progress, exercise) != object["state"].get<std::string>())
    object["kind"] = row->second.kind;
  object["hints_shown"] = row->second.hints.size();
  return object;
}

OrderedJson as_json(const Context& context, const Course& course, const Progress& progress) {
  OrderedJson chapters = OrderedJson::array();
  for (const Chapter& chapter : course.chapters) {
    OrderedJson exercises = OrderedJson::array();
    for (const Exercise& exercise : chapter.exercises) {
      exercises.push_back(as_json(context, exercise, progress));
    }
    chapters.push_back({{"id", chapter.name}, {"title", title(chapter)}, {"exercises", exercises}});
  }
  return {{"current", progress.current}, {"chapters", chapters}};
}

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
                          exercise.name, word, relative(context, exercise.learner));
    }
  }
  return text + fmt::format("{} of {} exercises are solved\n", solved, all);
}

}  // namespace

std::string list_text(const Context& context, bool json) {
  const Course course = read_course(context.root);
  const Progress progress = read_progress(context);
  if (!json) return as_table(context, course, progress);
  // A file's name need not be UTF-8.
  return as_json(context, course, progress)
             .dump(2, ' ', false, OrderedJson::error_handler_t::replace) +
         "\n";
}

int list_command(const Context& context, bool json) {
  // Not on stdout, where JSON may be wanted.
  fmt::print(stderr, "{}", rebuild_progress(context, read_course(context.root)));
  fmt::print("{}", list_text(context, json));
  return status_ok;
}

}  // namespace warpwise::tutor
