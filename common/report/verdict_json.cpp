#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "report/report_json.h"
#include "report/timing_json.h"
#include "report/verdict.h"

namespace warpwise::report {

using nlohmann::json;

std::string to_json(const CheckVerdict& verdict) {
  json related = json::array();
  for (const RelatedPlace& place : verdict.related) {
    related.push_back({{"role", place.role}, {"file", place.file}, {"line", place.line}});
  }
  const json whole{{"exercise", verdict.exercise},
                   {"verdict", verdict.verdict},
                   {"kind", verdict.kind},
                   {"message", verdict.message},
                   {"next", verdict.next},
                   {"file", verdict.file},
                   {"line", verdict.line},
                   {"column", verdict.column},
                   {"related", related},
                   {"size", verdict.size},
                   {"lesson", verdict.lesson},
                   {"author_test", verdict.author_test},
                   {"gates", verdict.gates},
                   {"diagnoses", verdict.diagnoses},
                   {"output", verdict.output},
                   {"counts", verdict.counts},
                   {"counted_size", verdict.counted_size},
                   {"occupancy", verdict.footprint ? json(*verdict.footprint) : json()},
                   {"device", verdict.device},
                   {"time", timing_json(verdict.time)},
                   {"timed", timed_work_json(verdict.timed)}};
  // A learner's printf may write anything; what is not UTF-8 must not end the program.
  return whole.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

CheckVerdict parse_verdict(const std::string& text) {
  try {
    const json whole = json::parse(text);
    CheckVerdict verdict;
    verdict.exercise = whole.value("exercise", "");
    verdict.verdict = whole.at("verdict").get<std::string>();
    verdict.kind = whole.value("kind", "");
    verdict.message = whole.value("message", "");
    verdict.file = whole.value("file", "");
    verdict.next = whole.value("next", "");
    verdict.line = whole.value("line", 0U);
    verdict.column = whole.value("column", 0U);
    for (const json& place : whole.value("related", json::array())) {
      verdict.related.push_back(
          {place.value("role", ""), place.value("file", ""), place.value("line", 0U)});
    }
    verdict.size = whole.value("size", "");
    verdict.lesson = whole.value("lesson", "");
    verdict.author_test = whole.value("author_test", "");
    verdict.diagnoses = whole.value("diagnoses", std::vector<Diagnosis>());
    verdict.gates = whole.value("gates", std::vector<GateResult>());
    verdict.output = whole.value("output", std::vector<std::string>());
    verdict.counts = whole.value("counts", json::object()).get<Counts>();
    verdict.counted_size = whole.value("counted_size", "");
    if (const auto found = whole.find("occupancy"); found != whole.end() && found->is_object()) {
      verdict.footprint = found->get<Footprint>();
    }
    verdict.device = whole.value("device", "");
    verdict.time = timing_of(whole, "time");
    verdict.timed = timed_work_of(whole, "timed");
    return verdict;
  } catch (const json::exception& error) {
    throw NoVerdict(fmt::format("a check wrote no verdict: {}", error.what()));
  }
}

}  // namespace warpwise::report
