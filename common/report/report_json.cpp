#include "report/report_json.h"

#include <cmath>
#include <cstdint>

namespace warpwise::report {
namespace {

/// A count as a whole number: 8, not 8.0.
std::uint64_t whole(double count) { return static_cast<std::uint64_t>(count); }
double as_it_is(double count) { return count; }

/// @param number whole or as_it_is.
template <class Number>
nlohmann::json json_of(const LineCounts& line, Number number) {
  return {{"file", line.file},
          {"line", line.line},
          {"access", line.access},
          {"requests", number(line.requests)},
          {"sectors", number(line.sectors)},
          {"wavefronts", number(line.wavefronts)},
          {"ideal_wavefronts", number(line.ideal_wavefronts)},
          {"beside_copies", number(line.during_copies)},
          {"loads_in_flight", number(line.loads_in_flight)},
          {"compiled", line.compiled},
          {"confirmed", line.confirmed}};
}

template <class Number>
nlohmann::json json_of(const ArrayCounts& array, Number number) {
  return {{"array", array.array},
          {"access", array.access},
          {"requests", number(array.requests)},
          {"sectors", number(array.sectors)},
          {"threads", number(array.threads)},
          {"warps", number(array.warps)},
          {"most_of_thread", number(array.most_of_thread)}};
}

}  // namespace

void to_json(nlohmann::json& json, const Diagnosis& diagnosis) {
  json = {{"kind", diagnosis.kind},
          {"severity", diagnosis.is_error() ? "error" : "note"},
          {"message", diagnosis.message},
          {"file", diagnosis.file},
          {"line", diagnosis.line},
          {"column", diagnosis.column},
          {"library_file", diagnosis.library_file},
          {"library_line", diagnosis.library_line},
          {"block", diagnosis.block},
          {"thread", diagnosis.thread},
          {"count", diagnosis.count},
          {"called_from", diagnosis.called_from},
          {"made_file", diagnosis.made_file},
          {"made_line", diagnosis.made_line}};
}

void from_json(const nlohmann::json& json, Diagnosis& diagnosis) {
  diagnosis.kind = json.value("kind", "");
  diagnosis.severity =
      json.value("severity", "error") == "error" ? Severity::error : Severity::note;
  diagnosis.message = json.value("message", "");
  diagnosis.file = json.value("file", "");
  diagnosis.line = json.value("line", 0U);
  diagnosis.column = json.value("column", 0U);
  diagnosis.library_file = json.value("library_file", "");
  diagnosis.library_line = json.value("library_line", 0U);
  diagnosis.block = json.value("block", Index3{});
  diagnosis.thread = json.value("thread", Index3{});
  diagnosis.count = json.value("count", std::uint64_t{1});
  diagnosis.called_from = json.value("called_from", std::vector<std::string>());
  diagnosis.made_file = json.value("made_file", "");
  diagnosis.made_line = json.value("made_line", 0U);
}

void to_json(nlohmann::json& json, const LineCounts& line) { json = json_of(line, as_it_is); }

void from_json(const nlohmann::json& json, LineCounts& line) {
  line.file = json.value("file", "");
  line.line = json.value("line", 0U);
  line.access = json.value("access", "");
  line.requests = json.value("requests", 0.0);
  line.sectors = json.value("sectors", 0.0);
  line.wavefronts = json.value("wavefronts", 0.0);
  line.ideal_wavefronts = json.value("ideal_wavefronts", 0.0);
  line.during_copies = json.value("beside_copies", 0.0);
  line.loads_in_flight = json.value("loads_in_flight", 0.0);
  line.confirmed = json.value("confirmed", false);
  line.compiled = json.value("compiled", line.confirmed);
}

void to_json(nlohmann::json& json, const ArrayCounts& array) { json = json_of(array, as_it_is); }

void from_json(const nlohmann::json& json, ArrayCounts& array) {
  array.array = json.value("array", "");
  array.access = json.value("access", "");
  array.requests = json.value("requests", 0.0);
  array.sectors = json.value("sectors", 0.0);
  array.threads = json.value("threads", 0.0);
  array.warps = json.value("warps", 0.0);
  array.most_of_thread = json.value("most_of_thread", 0.0);
}

void to_json(nlohmann::json& json, const Counts& counts) {
  json = {{"counters", counts.counters}, {"lines", counts.lines}};
  if (!counts.arrays.empty()) json["arrays"] = counts.arrays;
}

void from_json(const nlohmann::json& json, Counts& counts) {
  counts.counters = json.value("counters", std::map<std::string, double>());
  counts.lines = json.value("lines", std::vector<LineCounts>());
  counts.arrays = json.value("arrays", std::vector<ArrayCounts>());
}

void to_json(nlohmann::json& json, const LaunchReport& launch) {
  json = {{"kernel", launch.kernel},
          {"mangled", launch.mangled},
          {"grid", launch.grid},
          {"block", launch.block},
          {"dynamic_shared_bytes", launch.dynamic_shared_bytes},
          {"registers", launch.registers},
          {"static_shared_bytes", launch.static_shared_bytes},
          {"counters", launch.counts.counters},
          {"lines", nlohmann::json::array()},
          {"diagnoses", launch.diagnoses},
          {"launch_file", launch.launch_file},
          {"launch_line", launch.launch_line},
          {"faulted", launch.faulted},
          {"unsupported", launch.unsupported}};
  if (!launch.launched_by.empty()) json["launched_by"] = launch.launched_by;
  nlohmann::json& lines = json["lines"];
  for (const LineCounts& line : launch.counts.lines) lines.push_back(json_of(line, whole));
  for (const ArrayCounts& array : launch.counts.arrays)
    json["arrays"].push_back(json_of(array, whole));
}

void from_json(const nlohmann::json& json, LaunchReport& launch) {
  launch.kernel = json.value("kernel", "");
  launch.mangled = json.value("mangled", "");
  launch.grid = json.value("grid", Index3{});
  launch.block = json.value("block", Index3{});
  launch.registers = json.value("registers", 0U);
  launch.static_shared_bytes = json.value("static_shared_bytes", std::size_t{0});
  launch.dynamic_shared_bytes = json.value("dynamic_shared_bytes", std::size_t{0});
  launch.counts = json.get<Counts>();
  launch.diagnoses = json.value("diagnoses", std::vector<Diagnosis>());
  launch.launch_file = json.value("launch_file", "");
  launch.launch_line = json.value("launch_line", 0U);
  launch.launched_by = json.value("launched_by", "");
  launch.faulted = json.value("faulted", false);
  launch.unsupported = json.value("unsupported", "");
}

void to_json(nlohmann::json& json, const GateResult& result) {
  const Gate& gate = result.gate;
  json = {{"name", gate.name},
          {"what", gate.what},
          {"saw", result.saw},
          {"wanted", result.wanted()},
          {"at_least", gate.at_least},
          // JSON has no infinity.
          {"at_most", std::isinf(gate.at_most) ? nlohmann::json() : nlohmann::json(gate.at_most)},
          {"met", result.met},
          {"confirmed", result.confirmed},
          {"mistake", gate.mistake},
          {"file", result.file},
          {"line", result.line}};
  if (result.mistake_saw.empty()) return;
  json["mistake_saw"] = result.mistake_saw;
  json["mistake_description"] = result.mistake_description;
}

void from_json(const nlohmann::json& json, GateResult& result) {
  result.gate.name = json.value("name", "");
  result.gate.what = json.value("what", "");
  result.gate.at_least = json.value("at_least", 0.0);
  if (json.contains("at_most") && json["at_most"].is_number()) {
    result.gate.at_most = json["at_most"].get<double>();
  }
  result.gate.mistake = json.value("mistake", "");
  result.saw = json.value("saw", 0.0);
  result.met = json.value("met", false);
  result.confirmed = json.value("confirmed", true);
  result.file = json.value("file", "");
  result.line = json.value("line", 0U);
  result.mistake_saw = json.value("mistake_saw", "");
  result.mistake_description = json.value("mistake_description", "");
}

void to_json(nlohmann::json& json, const Footprint& footprint) {
  json = {{"gpu", footprint.gpu},
          {"registers", footprint.registers},
          {"static_shared_bytes", footprint.static_shared_bytes},
          {"dynamic_shared_bytes", footprint.dynamic_shared_bytes},
          {"threads", footprint.threads},
          {"blocks", footprint.blocks},
          {"warps", footprint.warps},
          {"most_warps", footprint.most_warps},
          {"limiters", footprint.limiters}};
}

void from_json(const nlohmann::json& json, Footprint& footprint) {
  footprint.gpu = json.value("gpu", "");
  footprint.registers = json.value("registers", 0);
  footprint.static_shared_bytes = json.value("static_shared_bytes", std::size_t{0});
  footprint.dynamic_shared_bytes = json.value("dynamic_shared_bytes", std::size_t{0});
  footprint.threads = json.value("threads", 0);
  footprint.blocks = json.value("blocks", 0);
  footprint.warps = json.value("warps", 0);
  footprint.most_warps = json.value("most_warps", 0);
  footprint.limiters = json.value("limiters", std::vector<std::string>());
}

}  // namespace warpwise::report
