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

namespace {

/// The gates' counts of a mistake, and its description.
struct Figures {
  std::vector<GateResult> gates;
  std::string description;
};

std::optional<Figures> recorded_figures(const Exercise& exercise, const std::string& name) {
  const RecordedSolution record = recorded_solution(exercise);
  const auto found = record.mistakes.find(name);
  if (found == record.mistakes.end()) return std::nullopt;
  return Figures{found->second.verdict.gates, found->second.description};
}

std::optional<Figures> figures_of(const Context& context, const Exercise& exercise,
                                  const std::string& name) {
  if (exercise.exported) return recorded_figures(exercise, name);
  for (const lesson::Mistake& mistake : read_mistakes(exercise)) {
    if (mistake.name != name) continue;
    return Figures{judge_mistake(context, exercise, mistake).gates, mistake.description};
  }
  return std::nullopt;
}

// The verdict with the figures in it.
CheckVerdict with_figures(const Context& context, const Exercise& exercise, CheckVerdict verdict) {
  std::map<std::string, std::optional<Figures>> known;
  for (GateResult& missed : verdict.gates) {
    const std::string& name = missed.gate.mistake;
    if (missed.met || name.empty()) continue;
    const auto [figures, is_new] = known.try_emplace(name);
    if (is_new) figures->second = figures_of(context, exercise, name);
    if (!figures->second) continue;
    for (const GateResult& counted : figures->second->gates) {
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
