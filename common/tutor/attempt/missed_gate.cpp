#include "tutor/attempt/missed_gate.h"

#include <fmt/format.h>

#include <map>
#include <optional>

#include "tutor/author/mistakes.h"
#include "tutor/author/recorded_solution.h"
#include "tutor/system/failure.h"
#include "tutor/system/files.h"
#include "tutor/system/process.h"

namespace warpwise::tutor {

namespace fs = std::filesystem;
using report::RecordedMistake;

namespace {

/// The verdict on a mistake, and its description.
std::optional<RecordedMistake> figures_of(const Context& context, const Exercise& exercise,
                                          const std::string& name) {
  if (exercise.exported) {
    const RecordedSolution record = recorded_solution(exercise);
    const auto found = record.mistakes.find(name);
    return found == record.mistakes.end() ? std::optional<RecordedMistake>() : found->second;
  }
  for (const lesson::Mistake& mistake : read_mistakes(exercise)) {
    if (mistake.name != name) continue;
    return RecordedMistake{mistake.description, judge_mistake(context, exercise, mistake)};
  }
  return std::nullopt;
}

// The verdict with the figures in it.
CheckVerdict with_figures(const Context& context, const Exercise& exercise, CheckVerdict verdict) {
  std::map<std::string, std::optional<RecordedMistake>> known;
  for (GateResult& missed : verdict.gates) {
    const std::string& name = missed.gate.mistake;
    if (missed.met || name.empty()) continue;
    const auto [figures, is_new] = known.try_emplace(name);
    if (is_new) figures->second = figures_of(context, exercise, name);
    if (!figures->second) continue;
    for (const GateResult& counted : figures->second->verdict.gates) {
      if (counted.gate.name != missed.gate.name) continue;
      missed.mistake_saw = counted.saw_text();
      missed.mistake_description = figures->second->description;
    }
  }
  return verdict;
}

}  // namespace

std::string missed_gate_text(const Context& context, const Exercise& exercise,
                             const Verdict& verdict, std::size_t width) {
  try {
    const TemporaryFolder folder;
    const fs::path file = folder.path() / "verdict.json";
    write_atomically(file, report::to_json(with_figures(context, exercise, verdict)));
    const Outcome said = run_captured(
        {.words = {context.check_program(exercise.id()).string(), "--say", file.string()},
         .environment = {{"COLUMNS", std::to_string(width)}},
         .limit = std::chrono::seconds(20)});
    if (said.status == status_wrong && !said.out.empty()) return said.out;
  } catch (const Failure&) {
    // A verdict without the figure is better than none.
  }
  return verdict.text;
}

}  // namespace warpwise::tutor
