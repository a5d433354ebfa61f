#include "tutor/author/recorded_solution.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tutor/attempt/compile.h"
#include "tutor/author/mistakes.h"
#include "tutor/system/failure.h"
#include "tutor/system/files.h"

namespace warpwise::tutor {

namespace fs = std::filesystem;
using Json = nlohmann::json;

namespace {

// What may be shown to users who may not see the solution: nothing tells where a line of it is.
Json data_of(CheckVerdict verdict) {
  verdict.next.clear();
  verdict.file.clear();
  verdict.line = verdict.column = 0;
  verdict.related.clear();
  verdict.lesson.clear();
  verdict.diagnoses.clear();
  verdict.output.clear();
  verdict.counts.lines.clear();
  verdict.counts.arrays.clear();
  verdict.device.clear();
  verdict.time.reset();
  for (GateResult& gate : verdict.gates) {
    gate.file.clear();
    gate.line = 0;
  }
  return Json::parse(report::to_json(verdict));
}

}  // namespace

Verdict judge_solution(const Context& context, const Exercise& exercise,
                       const std::vector<std::string>& flags) {
  const fs::path image = context.build / "compare" / exercise.chapter / (exercise.name + ".image");
  const Compiled compiled = refresh_image(context, exercise, exercise.frame, image);
  if (!compiled.ok) {
    throw Failure(status_wrong, fmt::format("the solution of {} does not compile:\n{}",
                                            exercise.id(), compiled.error));
  }
  return judge(context, exercise, image, flags);
}

std::string record_solution(const Context& context, const Exercise& exercise) {
  const Verdict solution = judge_solution(context, exercise, {"--device", "sim"});
  if (solution.verdict != "pass") {
    throw Failure(status_wrong, fmt::format("the solution of {} does not pass:\n{}", exercise.id(),
                                            solution.text));
  }
  Json mistakes = Json::object();
  for (const lesson::Mistake& mistake : read_mistakes(exercise)) {
    const bool named =
        std::any_of(solution.gates.begin(), solution.gates.end(),
                    [&](const GateResult& result) { return result.gate.mistake == mistake.name; });
    if (!named) continue;
    const Verdict verdict = judge_mistake(context, exercise, mistake);
    mistakes[mistake.name] = {{"description", mistake.description}, {"verdict", data_of(verdict)}};
  }
  Json record = data_of(solution);
  record["mistakes"] = mistakes;
  return record.dump(1) + "\n";
}

RecordedSolution parse_recorded_solution(const std::string& json) {
  try {
    const Json record = Json::parse(json);
    RecordedSolution result{.solution = verdict_in(json), .mistakes = {}, .descriptions = {}};
    for (const auto& [name, mistake] : record.at("mistakes").items()) {
      result.mistakes[name] = verdict_in(mistake.at("verdict").dump()).gates;
      result.descriptions[name] = mistake.at("description").get<std::string>();
    }
    return result;
  } catch (const Json::exception& error) {
    throw Failure(status_environment,
                  fmt::format("the record of a solution cannot be read: {}", error.what()));
  }
}

}  // namespace warpwise::tutor
