#include <fmt/format.h>

#include <future>
#include <map>
#include <optional>

#include "lesson/frame.h"
#include "tutor/architecture.h"
#include "tutor/command.h"
#include "tutor/compile.h"
#include "tutor/course.h"
#include "tutor/failure.h"
#include "tutor/files.h"
#include "tutor/mistakes.h"
#include "tutor/names.h"
#include "tutor/process.h"
#include "tutor/state.h"
#include "tutor/verdict.h"

namespace warpwise::tutor {

namespace fs = std::filesystem;

namespace {

int run_chapter(const Context& context, const Chapter& chapter,
                const std::vector<std::string>& flags) {
  if (!chapter.has_program) {
    throw Failure(status_usage, fmt::format("{} has no main.cu: it is a chapter without a program",
                                            chapter.name));
  }
  if (const auto gpu = gpu_flag(flags)) build_for_gpu(context, *gpu);
  context.make(context, {chapter.name, "simulator/libcudart.so.13"});
  for (const Exercise& exercise : chapter.exercises) {
    std::error_code ignored;
    // A file that does not compile costs its own row only; the row says so.
    if (fs::exists(exercise.learner, ignored)) {
      refresh_image(context, exercise, exercise.learner, learner_image(context, exercise));
    }
  }
  std::vector<std::string> words{(context.build / chapter.name).string()};
  words.insert(words.end(), flags.begin(), flags.end());
  become(words);
}

void say_not_solved(const Exercise& exercise) {
  fmt::print(
      "{0}: not solved yet\n"
      "  task       {1}\n"
      "  your file  {2}\n"
      "  next       write your code between BEGIN SOLUTION and END SOLUTION, save, and run\n"
      "             ./learn run {0}\n",
      exercise.id(), shown(exercise.task), shown(exercise.learner));
}

// The verdict on a stored mistake, counted now and by the same check; nothing where it cannot be
// had.
std::optional<Verdict> judge_mistake(const Context& context, const Exercise& exercise,
                                     const std::string& name) {
  for (const lesson::Mistake& mistake : read_mistakes(exercise)) {
    if (mistake.name != name) continue;
    const MistakeImage image = compile_mistake(context, exercise, mistake);
    if (!image.compiled.ok) return std::nullopt;
    return judge(context, exercise, image.path, {"--device", "sim"});
  }
  return std::nullopt;
}

// For each missed gate the figure of the mistake that it names.
void print_mistake_figures(const Context& context, const Exercise& exercise,
                           const Verdict& verdict) {
  std::map<std::string, std::optional<Verdict>> judged;
  for (const Gate& missed : verdict.gates) {
    if (missed.met || missed.mistake.empty()) continue;
    const auto [mistake, is_new] = judged.try_emplace(missed.mistake);
    if (is_new) mistake->second = judge_mistake(context, exercise, missed.mistake);
    if (!mistake->second) continue;
    for (const Gate& gate : mistake->second->gates) {
      if (gate.name != missed.name) continue;
      fmt::print("  {}: yours {}, wanted {}; the typical mistake \"{}\" gives {}\n", missed.name,
                 missed.saw, missed.wanted, missed.mistake, gate.saw);
    }
  }
}

int run_exercise(const Context& context, const Exercise& exercise,
                 const std::vector<std::string>& flags) {
  std::error_code ignored;
  if (!fs::exists(exercise.learner, ignored)) {
    throw Failure(status_environment,
                  fmt::format("{0} is missing: git checkout -- {0}", shown(exercise.learner)));
  }
  if (not_solved_yet(exercise)) {
    say_not_solved(exercise);
    return status_wrong;
  }
  // The compiler and the build look at different files: together they take as long as the slower.
  std::future<Compiled> compiling = std::async(std::launch::async, [&] {
    return compile_image(context, exercise, exercise.learner, learner_image(context, exercise));
  });
  context.make(context, {"checks/" + exercise.id(), "simulator/libcudart.so.13"});
  const Compiled compiled = compiling.get();
  if (!compiled.ok) {
    remember(context, exercise, "does not compile");
    fmt::print("{}: does not compile\n{}", exercise.id(), compiled.error);
    return status_wrong;
  }
  const Verdict verdict = judge(context, exercise, learner_image(context, exercise), flags);
  remember(context, exercise, verdict.verdict);
  fmt::print("{}", verdict.text);
  if (verdict.verdict == "gate") print_mistake_figures(context, exercise, verdict);
  return verdict.verdict == "pass" ? status_ok : status_wrong;
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
