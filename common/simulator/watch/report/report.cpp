#include "simulator/watch/report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "simulator/watch/report/place_text.h"

namespace warpwise::watch {
namespace {

nlohmann::json json_of(const Diagnosis& d) {
  return {{"kind", d.kind},
          {"severity", d.severity == Severity::error ? "error" : "note"},
          {"message", d.message},
          {"file", d.file},
          {"line", d.line},
          {"column", d.column},
          {"called_from", d.called_from},
          {"made_file", d.made_file},
          {"made_line", d.made_line},
          {"library_file", d.library_file},
          {"library_line", d.library_line},
          {"block", d.block},
          {"thread", d.thread},
          {"count", d.count}};
}

nlohmann::json json_of(const LineCounts& line) {
  return {{"file", line.file},
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

nlohmann::json json_of(const ArrayCounts& array) {
  return {{"array", array.array},
          {"access", array.access},
          {"requests", array.requests},
          {"sectors", array.sectors},
          {"threads", array.threads},
          {"warps", array.warps},
          {"most_of_thread", array.most_of_thread}};
}

std::string index_text(const Index3& index) {
  return fmt::format("({}, {}, {})", index[0], index[1], index[2]);
}

}  // namespace

std::string to_json(const LaunchReport& report) {
  nlohmann::json json = {{"kernel", report.kernel},
                         {"mangled", report.mangled},
                         {"grid", report.grid},
                         {"block", report.block},
                         {"dynamic_shared_bytes", report.dynamic_shared_bytes},
                         {"registers", report.registers},
                         {"static_shared_bytes", report.static_shared_bytes},
                         {"counters", report.counters},
                         {"lines", nlohmann::json::array()},
                         {"diagnoses", nlohmann::json::array()},
                         {"launch_file", report.launch_file},
                         {"launch_line", report.launch_line},
                         {"faulted", report.faulted},
                         {"unsupported", report.unsupported}};
  if (!report.launched_by.empty()) json["launched_by"] = report.launched_by;
  for (const LineCounts& line : report.lines) json["lines"].push_back(json_of(line));
  for (const ArrayCounts& array : report.arrays) json["arrays"].push_back(json_of(array));
  for (const Diagnosis& diagnosis : report.diagnoses)
    json["diagnoses"].push_back(json_of(diagnosis));
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string to_text(const Diagnosis& d) {
  std::string text = fmt::format("{}: {}: {}\n", d.severity == Severity::error ? "error" : "note",
                                 d.kind, d.message);
  const std::string instead = d.instruction.empty() ? "at an unknown line" : "in " + d.instruction;
  text += d.line ? place_text(d)
                 : fmt::format("  {}: compile with -lineinfo to see the line\n", instead);
  if (d.library_line) text += fmt::format("  inlined from {}:{}\n", d.library_file, d.library_line);
  constexpr std::size_t most_callers = 4;
  for (std::size_t i = 0; i < std::min(most_callers, d.called_from.size()); ++i)
    text += fmt::format("  called from {}\n", d.called_from[i]);
  text += fmt::format("  block {}, thread {}", index_text(d.block), index_text(d.thread));
  if (d.count > 1) text += fmt::format(" and {} more", d.count - 1);
  return text + "\n";
}

}  // namespace warpwise::watch
