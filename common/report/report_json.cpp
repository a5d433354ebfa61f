#include "report/report_json.h"

namespace warpwise::lesson {

void to_json(nlohmann::json& json, const Diagnosis& diagnosis) {
  json = {{"kind", diagnosis.kind},
          {"severity", diagnosis.severity},
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
  diagnosis.severity = json.value("severity", "error");
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

void to_json(nlohmann::json& json, const LineCounts& line) {
  json = {{"file", line.file},
          {"line", line.line},
          {"access", line.access},
          {"requests", line.requests},
          {"sectors", line.sectors},
          {"wavefronts", line.wavefronts},
          {"ideal_wavefronts", line.ideal_wavefronts},
          {"beside_copies", line.beside_copies},
          {"loads_in_flight", line.loads_in_flight},
          {"compiled", line.compiled},
          {"confirmed", line.confirmed}};
}

void from_json(const nlohmann::json& json, LineCounts& line) {
  line.file = json.value("file", "");
  line.line = json.value("line", 0U);
  line.access = json.value("access", "");
  line.requests = json.value("requests", 0.0);
  line.sectors = json.value("sectors", 0.0);
  line.wavefronts = json.value("wavefronts", 0.0);
  line.ideal_wavefronts = json.value("ideal_wavefronts", 0.0);
  line.beside_copies = json.value("beside_copies", 0.0);
  line.loads_in_flight = json.value("loads_in_flight", 0.0);
  line.confirmed = json.value("confirmed", false);
  line.compiled = json.value("compiled", line.confirmed);
}

void to_json(nlohmann::json& json, const ArrayCounts& array) {
  json = {{"array", array.array},
          {"access", array.access},
          {"requests", array.requests},
          {"sectors", array.sectors},
          {"threads", array.threads},
          {"warps", array.warps},
          {"most_of_thread", array.most_of_thread}};
}

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

}  // namespace warpwise::lesson
