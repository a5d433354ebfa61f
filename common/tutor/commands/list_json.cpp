#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tutor/command.h"
#include "tutor/course/course.h"
#include "tutor/course/state.h"
#include "tutor/system/failure.h"
#include "tutor/update/rebuild.h"

namespace warpwise::tutor {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson as_json(const Context& context, const Exercise& exercise, const Progress& progress) {
  OrderedJson object{{"id", exercise.id()},
                     {"file", exercise.learner.lexically_relative(context.root).string()},
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

}  // namespace

std::string list_json(const Context& context) {
  // A file's name need not be UTF-8.
  return as_json(context, read_course(context.root), read_progress(context))
             .dump(2, ' ', false, OrderedJson::error_handler_t::replace) +
         "\n";
}

int list_json_command(const Context& context) {
  // Not on stdout, where JSON is wanted.
  fmt::print(stderr, "{}", rebuild_progress(context, read_course(context.root)));
  fmt::print("{}", list_json(context));
  return status_ok;
}

}  // namespace warpwise::tutor
