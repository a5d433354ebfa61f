#include "tutor/attempt/missed_gate.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "tutor/author/mistakes.h"
#include "tutor/author/recorded_solution.h"
#include "tutor/system/failure.h"
#include "tutor/system/files.h"
#include "tutor/system/process.h"

namespace warpwise::tutor {

namespace fs = std::filesystem;
using Json = nlohmann::json;

namespace {

/// The gates' counts of a mistake, and its description.
struct Figures {
  std::vector<Gate> gates;
  std::string description;
};

std::optional<Figures> recorded_figures(const Exercise& exercise, const std::string& name) {
  const RecordedSolution record = parse_recorded_solution(read_file(exercise.recorded));
  const auto found = record.mistakes.find(name);
  if (found == record.mistakes.end()) return std::nullopt;
  return Figures{found->second, record.descriptions.at(name)};
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

// The verdict's JSON with the figures in it.
Json with_figures(const Context& context, const Exercise& exercise, const Verdict& verdict) {
  Json data = Json::parse(verdict.json);
  std::map<std::string, std::optional<Figures>> known;
  for (Json& gate : data.at("gates")) {
    const std::string name = gate.value("mistake", "");
    if (gate.value("met", false) || name.empty()) continue;
    const auto [figures, is_new] = known.try_emplace(name);
    if (is_new) figures->second = figures_of(context, exercise, name);
    if (!figures->second) continue;
    for (const Gate& counted : figures->second->gates) {
      if (counted.name != gate.value("name", "")) continue;
      gate["mistake_saw"] = counted.saw;
      gate["mistake_description"] = figures->second->description;
    }
  }
  return data;
}

}  // namespace

std::string missed_gate_text(const Context& context, const Exercise& exercise,
                             const Verdict& verdict, std::size_t width) {
  try {
    const TemporaryFolder folder;
    const fs::path file = folder.path() / "verdict.json";
    write_atomically(file, with_figures(context, exercise, verdict).dump());
    const Outcome said = run_captured(
        {.words = {context.check_program(exercise.id()).string(), "--say", file.string()},
         .environment = {{"COLUMNS", std::to_string(width)}},
         .limit = std::chrono::seconds(20)});
    if (said.status == status_wrong && !said.out.empty()) return said.out;
  } catch (const Failure&) {
    // A verdict without the figure is better than none.
  } catch (const Json::exception&) {
  }
  return verdict.text;
}

}  // namespace warpwise::tutor
