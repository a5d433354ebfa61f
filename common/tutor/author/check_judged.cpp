#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>

#include "base/frame.h"
#include "tutor/attempt/compile.h"
#include "tutor/attempt/verdict.h"
#include "tutor/author/check.h"
#include "tutor/author/mistakes.h"
#include "tutor/course/kind.h"
#include "tutor/course/state.h"
#include "tutor/system/failure.h"
#include "tutor/system/files.h"
#include "tutor/system/process.h"

namespace warpwise::tutor {

namespace fs = std::filesystem;

namespace {

using Result = Finding::Result;

// The author's images stay away from the learner's.
fs::path author_image(const Context& context, const Exercise& exercise, const char* what) {
  return context.build / "mistakes" / exercise.id() / fmt::format("_{}.image", what);
}

Finding stub_compiles(const Context& context, const Exercise& exercise) {
  if (!not_solved_yet(exercise)) {
    return failed(fmt::format("{} is not \"not solved yet\"", shown(exercise.learner)));
  }
  const Compiled compiled =
      compile_image(context, exercise, exercise.learner, author_image(context, exercise, "stub"));
  return compiled.ok ? Finding{} : failed("does not compile:\n" + compiled.error);
}

/// The paragraph of a task that begins with "Also checked:", in one line; empty where it has none.
std::string announced_gates(const std::string& task) {
  const std::size_t begin = task.find("\nAlso checked:");
  if (begin == std::string::npos) return {};
  std::istringstream words(task.substr(begin, task.find("\n\n", begin + 1) - begin));
  std::vector<std::string> all;
  for (std::string word; words >> word;) all.push_back(word);
  return fmt::format("{}", fmt::join(all, " "));
}

/// A gate that the task keeps to itself refuses right answers for no reason that a learner can
/// know: the task names what the check's program says of its gates, no more and no less.
Finding gates_announced(const Context& context, const Exercise& exercise) {
  Command command{{context.check_program(exercise.id()).string(), "--gates"}};
  const Outcome outcome = run_captured(command);
  if (outcome.status != 0) return failed(outcome.out + outcome.err);
  std::string wanted = outcome.out;
  while (wanted.ends_with('\n')) wanted.pop_back();
  const std::string task = announced_gates(read_file(exercise.task));
  if (task == wanted) return {};
  return failed(fmt::format("{} says\n{}\nand its check wants\n{}", shown(exercise.task),
                            task.empty() ? "nothing of gates" : task,
                            wanted.empty() ? "no gates" : wanted));
}

std::string missed_gates(const CheckVerdict& verdict) {
  std::vector<std::string> missed;
  for (const GateResult& result : verdict.gates) {
    if (!result.met)
      missed.push_back(
          fmt::format("{}: {}, not {}", result.gate.name, result.saw_text(), result.wanted()));
  }
  return fmt::format("{}", fmt::join(missed, "; "));
}

Finding solution_passes(const Context& context, const Exercise& exercise) {
  const fs::path image = author_image(context, exercise, "solution");
  const Compiled compiled =
      compile_image(context, exercise, exercise.frame, image,
                    {"-Werror", "all-warnings", "-Xcompiler", "-Wall,-Wextra,-Werror"});
  if (!compiled.ok) return failed("does not compile without warnings:\n" + compiled.error);
  const Verdict verdict = judge(context, exercise, image, {"--device", "sim"});
  if (verdict.verdict != "pass") {
    return failed(fmt::format("verdict '{}'\n{}", verdict.verdict, verdict.text));
  }
  if (const std::string missed = missed_gates(verdict); !missed.empty()) {
    return failed("passes, but misses a gate: " + missed);
  }
  return {};
}

Finding solution_passes_on_gpu(const Context& context, const Exercise& exercise) {
  const fs::path image = author_image(context, exercise, "solution_gpu");
  const Compiled compiled = refresh_image(context, exercise, exercise.frame, image);
  if (!compiled.ok) return failed("does not compile:\n" + compiled.error);
  try {
    const Verdict verdict = judge(context, exercise, image, {"--device", "gpu"});
    return verdict.verdict == "pass" ? Finding{} : failed(verdict.text);
  } catch (const CannotRunHere& failure) {
    return {Result::skipped, failure.message};
  }
}

Finding mistake_dies(const Context& context, const Exercise& exercise,
                     const lesson::Mistake& mistake) {
  const Verdict verdict = judge_mistake(context, exercise, mistake);
  const std::string different = difference(exercise, mistake, verdict);
  if (different.empty() && mistake.name == lesson::given_mistake && verdict.author_test.empty()) {
    return failed("fails the author's own test: an author would not have handed it out");
  }
  return different.empty() ? Finding{} : failed(different);
}

}  // namespace

std::vector<CheckItem> judged_items(const Context& context, const Exercise& exercise) {
  const std::string id = exercise.id();
  std::vector<CheckItem> items{{id, "stub", [=] { return stub_compiles(context, exercise); }}};
  items.push_back({id, "gates announced", [=] { return gates_announced(context, exercise); }});
  if (exercise.exported) {
    items.push_back({id, "solution and mistakes", [] {
                       return Finding{Result::skipped, std::string(without_solutions)};
                     }});
    return items;
  }
  items.push_back({id, "solution", [=] { return solution_passes(context, exercise); }});
  if (kind_of(exercise) != "arithmetic") {
    items.push_back(
        {id, "solution on a GPU", [=] { return solution_passes_on_gpu(context, exercise); }});
  }
  std::vector<lesson::Mistake> mistakes;
  try {
    mistakes = read_mistakes(exercise);
  } catch (const Failure& failure) {
    items.push_back({id, "mistakes", [why = failure.message] { return failed(why); }});
    return items;
  }
  if (mistakes.empty()) {
    items.push_back({id, "mistakes", [] { return failed("there is none"); }});
  }
  for (const lesson::Mistake& mistake : mistakes) {
    items.push_back(
        {id, "mistake " + mistake.name, [=] { return mistake_dies(context, exercise, mistake); }});
  }
  return items;
}

}  // namespace warpwise::tutor
