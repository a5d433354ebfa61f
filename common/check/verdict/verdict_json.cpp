#include <fmt/format.h>

#include <cmath>

#include "check/verdict/verdict.h"
#include "lesson/device/error.h"
#include "lesson/device/timing_json.h"
#include "report/report_json.h"

namespace warpwise::lesson {
namespace {

using nlohmann::json;

json gate_json(const GateResult& result) {
  const Gate& gate = result.gate;
  return {{"name", gate.name},
          {"what", gate.what},
          {"saw", result.saw},
          {"wanted", result.wanted()},
          {"at_least", gate.at_least},
          // JSON has no infinity.
          {"at_most", std::isinf(gate.at_most) ? json() : json(gate.at_most)},
          {"met", result.met},
          {"confirmed", result.confirmed},
          {"mistake", gate.mistake},
          {"file", result.file},
          {"line", result.line}};
}

GateResult gate_of(const json& value) {
  GateResult result;
  result.gate.name = value.value("name", "");
  result.gate.what = value.value("what", "");
  result.gate.at_least = value.value("at_least", 0.0);
  if (value.contains("at_most") && value["at_most"].is_number()) {
    result.gate.at_most = value["at_most"].get<double>();
  }
  result.gate.mistake = value.value("mistake", "");
  result.saw = value.value("saw", 0.0);
  result.met = value.value("met", false);
  result.confirmed = value.value("confirmed", true);
  result.file = value.value("file", "");
  result.line = value.value("line", 0U);
  result.mistake_saw = value.value("mistake_saw", "");
  result.mistake_description = value.value("mistake_description", "");
  return result;
}

json footprint_json(const std::optional<Footprint>& footprint) {
  if (!footprint) return nullptr;
  return {{"gpu", footprint->gpu},
          {"registers", footprint->registers},
          {"static_shared_bytes", footprint->static_shared_bytes},
          {"dynamic_shared_bytes", footprint->dynamic_shared_bytes},
          {"threads", footprint->threads},
          {"blocks", footprint->blocks},
          {"warps", footprint->warps},
          {"most_warps", footprint->most_warps},
          {"limiters", footprint->limiters}};
}

std::optional<Footprint> footprint_in(const json& whole) {
  const auto found = whole.find("occupancy");
  if (found == whole.end() || !found->is_object()) return std::nullopt;
  return Footprint{.gpu = found->value("gpu", ""),
                   .registers = found->value("registers", 0),
                   .static_shared_bytes = found->value("static_shared_bytes", std::size_t{0}),
                   .dynamic_shared_bytes = found->value("dynamic_shared_bytes", std::size_t{0}),
                   .threads = found->value("threads", 0),
                   .blocks = found->value("blocks", 0),
                   .warps = found->value("warps", 0),
                   .most_warps = found->value("most_warps", 0),
                   .limiters = found->value("limiters", std::vector<std::string>())};
}

}  // namespace

std::string to_json(const CheckVerdict& verdict) {
  json gates = json::array();
  for (const GateResult& gate : verdict.gates) gates.push_back(gate_json(gate));
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
                   {"gates", gates},
                   {"diagnoses", verdict.diagnoses},
                   {"output", verdict.output},
                   {"counts", verdict.counts},
                   {"counted_size", verdict.counted_size},
                   {"occupancy", footprint_json(verdict.footprint)},
                   {"device", verdict.device},
                   {"time", timing_json(verdict.time)}};
  // A learner's printf may write anything; what is not UTF-8 must not end the program.
  return whole.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

CheckVerdict parse_verdict(const std::string& text) {
  try {
    const json whole = json::parse(text);
    CheckVerdict verdict;
    verdict.exercise = whole.at("exercise").get<std::string>();
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
    for (const json& gate : whole.value("gates", json::array())) {
      verdict.gates.push_back(gate_of(gate));
    }
    verdict.output = whole.value("output", std::vector<std::string>());
    verdict.counts = whole.value("counts", json::object()).get<Counts>();
    verdict.counted_size = whole.value("counted_size", "");
    verdict.footprint = footprint_in(whole);
    verdict.device = whole.value("device", "");
    verdict.time = timing_of(whole, "time");
    return verdict;
  } catch (const json::exception& error) {
    throw Stop(bad_environment, fmt::format("a check wrote no verdict: {}", error.what()));
  }
}

}  // namespace warpwise::lesson
