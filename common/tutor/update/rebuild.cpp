#include "tutor/update/rebuild.h"

#include <fmt/format.h>

#include <vector>

#include "tutor/attempt/attempt.h"
#include "tutor/course/names.h"
#include "tutor/course/progress.h"
#include "tutor/course/state.h"
#include "tutor/system/failure.h"

namespace warpwise::tutor {
namespace {

std::vector<Exercise> never_judged(const Context& context, const Course& course) {
  const Progress progress = read_progress(context);
  std::vector<Exercise> exercises;
  for (const Chapter& chapter : course.chapters) {
    for (const Exercise& exercise : chapter.exercises) {
      if (state(progress, exercise) == "edited") exercises.push_back(exercise);
    }
  }
  return exercises;
}

void build_checks(const Context& context, const std::vector<Exercise>& exercises) {
  std::vector<std::string> targets;
  for (const Exercise& exercise : exercises) {
    for (std::string& target : targets_of(exercise)) targets.push_back(std::move(target));
  }
  if (!targets.empty()) context.make(context, targets);
}

}  // namespace

std::string rebuild_progress(const Context& context, const Course& course) {
  const std::string damaged = read_progress(context).damaged;
  if (damaged.empty()) return {};
  std::string text =
      fmt::format("The progress file was damaged. It is kept as {}, and a new one was made:\n",
                  printable(damaged));
  const std::vector<Exercise> exercises = never_judged(context, course);
  build_checks(context, exercises);
  for (std::size_t i = 0; i < exercises.size(); ++i) {
    const Exercise& exercise = exercises[i];
    context.say(fmt::format("judging {} ({} of {})", exercise.id(), i + 1, exercises.size()));
    try {
      text += fmt::format("  {}: {}\n", exercise.id(),
                          state_text(attempt(context, exercise).verdict, ""));
    } catch (const Failure& failure) {
      text += fmt::format("  {}: {}\n", exercise.id(), failure.message);
    }
  }
  if (exercises.empty()) text += "  no exercise was edited so far\n";
  update_progress(context, [](Progress& progress) { progress.damaged.clear(); });
  return text;
}

}  // namespace warpwise::tutor
