#include "tutor/course/state.h"

#include <fmt/format.h>

#include "base/frame.h"
#include "tutor/system/failure.h"
#include "tutor/system/files.h"

namespace warpwise::tutor {

namespace fs = std::filesystem;

fs::path learner_image(const Context& context, const Exercise& exercise) {
  return context.build / "exercises" / exercise.chapter / (exercise.name + ".image");
}

std::string stub_of(const Exercise& exercise) {
  try {
    const std::string frame = read_text(exercise.frame);
    std::error_code ignored;
    const bool has_mistakes = fs::exists(exercise.mistakes, ignored);
    const std::string stub =
        exercise.exported
            ? frame
            : lesson::make_stub(frame, has_mistakes ? read_text(exercise.mistakes) : "");
    (void)lesson::parse_frame(stub);
    return stub;
  } catch (const lesson::FrameError& error) {
    throw Failure(status_wrong, fmt::format("{}: {}", shown(exercise.frame), error.what()));
  }
}

bool not_solved_yet(const Exercise& exercise) {
  return lesson::same_code(read_text(exercise.learner), stub_of(exercise));
}

std::string state_text(const std::string& state, const std::string& kind) {
  return kind.empty() ? state : fmt::format("{}: {}", state, kind);
}

std::string state_text(const Progress& progress, const Exercise& exercise) {
  const std::string word = state(progress, exercise);
  if (word == "missing" || word == "not solved yet" || word == "edited") return word;
  return state_text(word, progress.exercises.at(exercise.id()).kind);
}

std::string mark_text(const Progress& progress, const Exercise& exercise) {
  const std::string now = state_text(progress, exercise);
  return now != "solved" && was_solved(progress, exercise) ? "solved, now " + now : now;
}

std::string state(const Progress& progress, const Exercise& exercise) {
  std::error_code ignored;
  if (!fs::exists(exercise.learner, ignored)) return "missing";
  if (not_solved_yet(exercise)) return "not solved yet";
  const ExerciseProgress* last = verdict_on(progress, exercise, read_text(exercise.learner));
  if (last == nullptr || last->verdict.empty()) return "edited";
  return last->verdict == "pass" ? "solved" : last->verdict;
}

}  // namespace warpwise::tutor
