#include "tutor/attempt/attempt.h"

#include <fmt/format.h>

#include <chrono>
#include <future>

#include "base/frame.h"
#include "occupancy/text.h"
#include "tutor/attempt/compile.h"
#include "tutor/attempt/missed_gate.h"
#include "tutor/attempt/outside_blank.h"
#include "tutor/course/progress.h"
#include "tutor/course/state.h"
#include "tutor/reading/page.h"
#include "tutor/system/failure.h"
#include "tutor/system/files.h"

namespace warpwise::tutor {

namespace fs = std::filesystem;

namespace {

std::string not_solved_text(const Exercise& exercise) {
  return fmt::format(
      "{0}: not solved yet\n"
      "  task       {1}\n"
      "  your file  {2}\n"
      "  next       {3} between BEGIN YOUR CODE and END YOUR CODE, save,\n"
      "             and run ./learn run {0}\n",
      exercise.id(), shown(exercise.task), shown(exercise.learner),
      lesson::is_find_the_bug(stub_of(exercise)) ? "repair the bug" : "write your code");
}

std::string not_compiled_text(const Exercise& exercise, const Compiled& compiled) {
  std::string text = fmt::format("{}: does not compile\n{}\n", exercise.id(), compiled.error);
  const auto add = [&](const char* head, const std::string& words) {
    if (words.empty()) return;
    for (const std::string& line : occupancy::wrap(head, words, page_width())) text += line + "\n";
  };
  add("  next  ", compiled.next);
  add("  note  ", changed_outside_blank(exercise));
  add("  hint  ", fmt::format("./learn hint {}", exercise.short_id()));
  return text;
}

void remember(const Context& context, const Exercise& exercise, const Attempt& attempt) {
  update_progress(context, [&](Progress& progress) {
    progress.current = exercise.id();
    ExerciseProgress& row = progress.exercises[exercise.id()];
    row.text = attempt.text_hash;
    row.verdict = attempt.verdict;
    row.solved = row.solved || attempt.passed();
    row.kind = attempt.judged ? attempt.judged->kind : "";
  });
}

void take_verdict(const Context& context, const Exercise& exercise, Verdict verdict,
                  Attempt& attempt) {
  attempt.verdict = verdict.verdict;
  attempt.text = verdict.verdict == "gate"
                     ? missed_gate_text(context, exercise, verdict, page_width())
                     : verdict.text;
  attempt.judged = std::move(verdict);
}

// Does some work and adds up the wall time it takes, in seconds.
template <class Work>
auto timed(double& seconds, const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  auto result = work();
  seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace

std::vector<std::string> targets_of(const Exercise& exercise) {
  return {"checks/" + exercise.id()};
}

Attempt attempt(const Context& context, const Exercise& exercise,
                const std::vector<std::string>& flags, const std::function<void()>& meanwhile) {
  std::error_code ignored;
  if (!fs::exists(exercise.learner, ignored)) {
    throw Failure(status_environment, fmt::format("{} is missing: ./learn reset {}",
                                                  shown(exercise.learner), exercise.id()));
  }
  Attempt result;
  const std::string text = read_text(exercise.learner);
  result.text_hash = text_hash(text);
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    result.verdict = "not solved yet";
    result.text =
        fmt::format("{0}: {1} is empty.\n  next  ./learn reset {0} brings the stub back\n",
                    exercise.short_id(), shown(exercise.learner));
    return result;
  }
  if (not_solved_yet(exercise)) {
    result.verdict = "not solved yet";
    result.text = not_solved_text(exercise);
    return result;
  }
  // The compiler and the build look at different files: together they take as long as the slower.
  const auto when = meanwhile ? std::launch::async : std::launch::deferred;
  std::future<Compiled> compiling = std::async(when, [&] {
    return timed(result.compile_s, [&] {
      return compile_image(context, exercise, exercise.learner, learner_image(context, exercise));
    });
  });
  if (meanwhile) meanwhile();
  const Compiled compiled = compiling.get();
  if (compiled.ok) {
    Verdict verdict = timed(result.judge_s, [&] {
      return judge(context, exercise, learner_image(context, exercise), flags);
    });
    take_verdict(context, exercise, std::move(verdict), result);
  } else {
    result.verdict = "does not compile";
    result.text = not_compiled_text(exercise, compiled);
  }
  // A text saved meanwhile may be the one that was judged.
  if (text_hash(read_text(exercise.learner)) == result.text_hash) {
    remember(context, exercise, result);
  }
  return result;
}

}  // namespace warpwise::tutor
