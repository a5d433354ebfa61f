#include "report/recorded_solution.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace warpwise::report {

using nlohmann::json;

std::string to_json(const RecordedSolution& record) {
  json mistakes = json::object();
  for (const auto& [name, mistake] : record.mistakes) {
    mistakes[name] = {{"description", mistake.description},
                      {"verdict", json::parse(to_json(mistake.verdict))}};
  }
  json whole = json::parse(to_json(record.solution));
  whole["mistakes"] = mistakes;
  return whole.dump(1) + "\n";
}

RecordedSolution parse_recorded_solution(const std::string& text) {
  RecordedSolution record{parse_verdict(text), {}};
  try {
    const json whole = json::parse(text);
    for (const auto& [name, mistake] : whole.at("mistakes").items()) {
      record.mistakes[name] = {mistake.at("description").get<std::string>(),
                               parse_verdict(mistake.at("verdict").dump())};
    }
  } catch (const json::exception& error) {
    throw NoVerdict(fmt::format("no record of a solution: {}", error.what()));
  }
  return record;
}

}  // namespace warpwise::report
