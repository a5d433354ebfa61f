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

// Nothing of it tells where a line of the solution is.
Verdict without_places(Verdict verdict) {
  verdict.file.clear();
  verdict.line = 0;
  verdict.device.clear();
  verdict.time_us.reset();
  for (Gate& gate : verdict.gates) {
    gate.file.clear();
    gate.line = 0;
  }
  return verdict;
}

Json data_of(const Verdict& verdict) { return Json::parse(to_json(without_places(verdict))); }

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
    const bool named = std::any_of(solution.gates.begin(), solution.gates.end(),
                                   [&](const Gate& gate) { return gate.mistake == mistake.name; });
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
    RecordedSolution result{.solution = parse_verdict(json), .mistakes = {}, .descriptions = {}};
    for (const auto& [name, mistake] : record.at("mistakes").items()) {
      result.mistakes[name] = parse_verdict(mistake.at("verdict").dump()).gates;
      result.descriptions[name] = mistake.at("description").get<std::string>();
    }
    return result;
  } catch (const Json::exception& error) {
    throw Failure(status_environment,
                  fmt::format("the record of a solution cannot be read: {}", error.what()));
  }
}

}  // namespace warpwise::tutor
