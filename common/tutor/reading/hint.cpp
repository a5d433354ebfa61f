#include "tutor/reading/hint.h"

#include <fmt/format.h>

#include <algorithm>

#include "tutor/course/kind.h"
#include "tutor/course/names.h"
#include "tutor/course/progress.h"
#include "tutor/course/state.h"
#include "tutor/reading/page.h"
#include "tutor/system/failure.h"
#include "tutor/system/files.h"

namespace warpwise::tutor {

namespace {

constexpr std::string_view heading = "Hint";

bool was_shown(const ExerciseProgress& row, const Hint& hint) {
  return std::find(row.hints.begin(), row.hints.end(), hint.number) != row.hints.end();
}

// The first that was not shown, one about the last diagnosis before all others.
const Hint* choose(const std::vector<Hint>& hints, const ExerciseProgress& row) {
  const Hint* chosen = nullptr;
  for (const Hint& hint : hints) {
    if (was_shown(row, hint)) continue;
    if (!row.kind.empty() && hint.kind == row.kind) return &hint;
    if (chosen == nullptr) chosen = &hint;
  }
  return chosen;
}

std::string left_text(const Context& context, const Exercise& exercise, int of) {
  const Progress progress = read_progress(context);
  const auto row = progress.exercises.find(exercise.id());
  const int left = row == progress.exercises.end() ? of : of - std::ssize(row->second.hints);
  if (left <= 0) return "That was the last one.\n";
  return fmt::format("{} more: ./learn hint {}\n", left, exercise.id());
}

}  // namespace

std::vector<Hint> hints_of(const Exercise& exercise) {
  std::vector<Hint> hints;
  for (const Section& section : sections(read_text(exercise.task))) {
    if (!section.heading.starts_with(heading) || section.text.empty()) continue;
    const auto colon = section.heading.find(": ");
    hints.push_back({.number = static_cast<int>(hints.size()) + 1,
                     .of = 0,
                     .text = section.text,
                     .kind = colon == std::string::npos ? "" : section.heading.substr(colon + 2)});
  }
  for (Hint& hint : hints) hint.of = static_cast<int>(hints.size());
  return hints;
}

std::optional<Hint> next_hint(const Context& context, const Exercise& exercise) {
  const std::vector<Hint> hints = hints_of(exercise);
  std::optional<Hint> result;
  update_progress(context, [&](Progress& progress) {
    progress.current = exercise.id();
    const auto found = progress.exercises.find(exercise.id());
    const Hint* hint =
        choose(hints, found == progress.exercises.end() ? ExerciseProgress{} : found->second);
    if (hint == nullptr) return;
    ExerciseProgress& row = progress.exercises[exercise.id()];
    row.hints.push_back(hint->number);
    result = *hint;
    // A hint about a diagnosis is of use where the last verdict is also about it.
    if (result->kind != row.kind) result->kind.clear();
  });
  return result;
}

std::string after_the_hints(const Exercise& exercise) {
  const std::string id = exercise.id();
  return fmt::format(
      "All hints of {0} were shown; they are in {1}. What else helps:\n"
      "  ./learn run {0}\n"
      "      the first thing that is wrong now, with its line\n"
      "{3}"
      "  {2}\n"
      "      the lesson; its ladder does the same on another problem\n"
      "  ./learn reset {0}\n"
      "      a fresh start; your text is kept\n",
      id, shown(exercise.task), shown(exercise.check.parent_path().parent_path() / "README.md"),
      kind_of(exercise) == "arithmetic"
          ? ""
          : fmt::format("  ./learn view {}\n      a picture of what your kernel reads and writes\n",
                        id));
}

const Exercise& current_exercise(const Context& context, const Course& course) {
  const Progress progress = read_progress(context);
  const Exercise* first_open = nullptr;
  for (const Chapter& chapter : course.chapters) {
    for (const Exercise& exercise : chapter.exercises) {
      if (is_current(progress, exercise)) return exercise;
      const bool open = first_open == nullptr && !was_solved(progress, exercise);
      if (open) first_open = &exercise;
    }
  }
  if (first_open != nullptr) return *first_open;
  throw Failure(status_usage, "every exercise is solved: name the one you mean");
}

int hint_command(const Context& context, const std::string& name) {
  const Course course = read_course(context.root);
  const Exercise& exercise =
      name.empty() ? current_exercise(context, course) : find_exercise(course, name);
  const std::optional<Hint> hint = next_hint(context, exercise);
  if (!hint) {
    fmt::print("{}", after_the_hints(exercise));
    return status_ok;
  }
  const std::string about = hint->kind.empty() ? "" : fmt::format(", about {}", hint->kind);
  fmt::print("{}: hint {} of {}{}\n\n{}\n{}", exercise.id(), hint->number, hint->of, about,
             wrapped(hint->text, page_width(), "  "), left_text(context, exercise, hint->of));
  return status_ok;
}

}  // namespace warpwise::tutor
