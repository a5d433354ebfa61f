#include "simulator/watch/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

namespace warpwise::watch {
namespace {

nlohmann::json json_of(const Diagnosis& d) {
  return {{"kind", d.kind},
          {"severity", d.severity == Severity::error ? "error" : "note"},
          {"message", d.message},
          {"file", d.file},
          {"line", d.line},
          {"column", d.column},
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
          {"confirmed", line.confirmed}};
}

/// The text of one line of a file; nothing where it cannot be read.
std::string source_line(const std::string& file, unsigned line) {
  std::ifstream in(file);
  std::string text;
  for (unsigned i = 0; i < line; ++i)
    if (!std::getline(in, text)) return {};
  return text;
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
                         {"faulted", report.faulted},
                         {"unsupported", report.unsupported}};
  for (const LineCounts& line : report.lines) json["lines"].push_back(json_of(line));
  for (const Diagnosis& diagnosis : report.diagnoses)
    json["diagnoses"].push_back(json_of(diagnosis));
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string to_text(const Diagnosis& d) {
  std::string text = fmt::format("{}: {}: {}\n", d.severity == Severity::error ? "error" : "note",
                                 d.kind, d.message);
  if (d.line) {
    text += fmt::format("  at {}:{}\n", d.file, d.line);
    if (std::string source = source_line(d.file, d.line); !source.empty()) {
      std::size_t indent = std::min(source.find_first_not_of(" \t"), source.size());
      // Tabs stay tabs above the caret, so that it stands below the same character.
      std::string above =
          source.substr(indent, std::max<std::size_t>(d.column, indent + 1) - indent - 1);
      for (char& c : above) c = c == '\t' ? '\t' : ' ';
      text += fmt::format("  {:>5} | {}\n        | {}^\n", d.line, source.substr(indent), above);
    }
  } else {
    text += "  at an unknown line: compile with -lineinfo to see it\n";
  }
  if (d.library_line) text += fmt::format("  inlined from {}:{}\n", d.library_file, d.library_line);
  text += fmt::format("  block {}, thread {}", index_text(d.block), index_text(d.thread));
  if (d.count > 1) text += fmt::format(" and {} more", d.count - 1);
  return text + "\n";
}

}  // namespace warpwise::watch
