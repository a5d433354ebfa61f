#include "simulator/watch/report.h"

#include <fmt/format.h>

#include <algorithm>

#include "simulator/watch/json_text.h"
#include "simulator/watch/place_text.h"

namespace warpwise::watch {
namespace {

std::string json_of(const Diagnosis& d) {
  return JsonObject()
      .text("kind", d.kind)
      .text("severity", d.severity == Severity::error ? "error" : "note")
      .text("message", d.message)
      .text("file", d.file)
      .number("line", d.line)
      .number("column", d.column)
      .json("called_from", json_list(d.called_from, json_quoted))
      .text("made_file", d.made_file)
      .number("made_line", d.made_line)
      .text("library_file", d.library_file)
      .number("library_line", d.library_line)
      .json("block", json_numbers(d.block))
      .json("thread", json_numbers(d.thread))
      .number("count", d.count)
      .str();
}

std::string json_of(const LineCounts& line) {
  return JsonObject()
      .text("file", line.file)
      .number("line", line.line)
      .text("access", line.access)
      .number("requests", line.requests)
      .number("sectors", line.sectors)
      .number("wavefronts", line.wavefronts)
      .number("ideal_wavefronts", line.ideal_wavefronts)
      .number("beside_copies", line.beside_copies)
      .flag("compiled", line.compiled)
      .flag("confirmed", line.confirmed)
      .str();
}

std::string json_of(const ArrayCounts& array) {
  return JsonObject()
      .text("array", array.array)
      .text("access", array.access)
      .number("requests", array.requests)
      .number("sectors", array.sectors)
      .number("threads", array.threads)
      .number("warps", array.warps)
      .number("most_of_thread", array.most_of_thread)
      .str();
}

template <class List>
std::string list_json(const List& list) {
  return json_list(list, [](const auto& one) { return json_of(one); });
}

std::string counters_json(const std::map<std::string, double>& counters) {
  JsonObject object;
  for (const auto& [name, value] : counters) object.json(name, json_number(value));
  return object.str();
}

std::string index_text(const Index3& index) {
  return fmt::format("({}, {}, {})", index[0], index[1], index[2]);
}

}  // namespace

std::string to_json(const LaunchReport& report) {
  JsonObject object;
  object.text("kernel", report.kernel)
      .text("mangled", report.mangled)
      .json("grid", json_numbers(report.grid))
      .json("block", json_numbers(report.block))
      .number("dynamic_shared_bytes", report.dynamic_shared_bytes)
      .number("registers", report.registers)
      .number("static_shared_bytes", report.static_shared_bytes)
      .json("counters", counters_json(report.counters))
      .json("lines", list_json(report.lines))
      .json("diagnoses", list_json(report.diagnoses))
      .text("launch_file", report.launch_file)
      .number("launch_line", report.launch_line)
      .flag("faulted", report.faulted)
      .text("unsupported", report.unsupported);
  if (!report.launched_by.empty()) object.text("launched_by", report.launched_by);
  if (!report.arrays.empty()) object.json("arrays", list_json(report.arrays));
  return object.str();
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
