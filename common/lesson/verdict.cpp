#include "lesson/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "lesson/paths.h"
#include "lesson/table.h"
#include "lesson/text.h"

namespace warpwise::lesson {
namespace {

constexpr std::size_t shown_lines = 20;

double measured(const LineCounts& line, Measure measure) {
  switch (measure) {
    case Measure::requests:
      return line.requests;
    case Measure::sectors:
      return line.sectors;
    case Measure::wavefronts:
      return line.wavefronts;
    case Measure::bank_conflicts:
      return line.wavefronts - line.ideal_wavefronts;
    case Measure::resident_warps:
      break;
  }
  return 0;
}

/// "global" is part of "global load"; "global load" only of itself.
bool is_of(const std::string& access, const std::string& wanted) {
  return access == wanted || access.rfind(wanted + " ", 0) == 0;
}

std::string short_number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string gate_line(const GateResult& gate) {
  std::string text =
      fmt::format("{}: saw {}, wants {}", gate.gate.what, short_number(gate.saw), gate.wanted());
  if (!gate.confirmed) text += " (counted from PTX, the hardware may merge)";
  return text;
}

std::string located(const std::string& file, unsigned line) {
  if (file.empty()) return "";
  std::string text = fmt::format("  {}:{}\n", shown_path(file), line);
  const std::string source = source_line(file, line);
  if (!source.empty()) text += fmt::format("    {}\n", source);
  return text;
}

/// The task with its hints: "chapters/ch05_warp_reduce/checks/01_lane_sum.md".
std::string task_of(const std::string& exercise) {
  const std::size_t slash = std::min(exercise.find('/'), exercise.size());
  return "chapters/" + exercise.substr(0, slash) + "/checks" + exercise.substr(slash) + ".md";
}

}  // namespace

std::string GateResult::wanted() const {
  if (std::isinf(gate.at_most)) return fmt::format("at least {}", short_number(gate.at_least));
  if (gate.at_most == 0) return "none";
  if (gate.at_least == 0) return fmt::format("at most {}", short_number(gate.at_most));
  if (gate.at_least == gate.at_most) return short_number(gate.at_least);
  return fmt::format("{} to {}", short_number(gate.at_least), short_number(gate.at_most));
}

GateResult judge(const Gate& gate, const std::vector<LineCounts>& lines) {
  GateResult result{gate, 0, false, true, "", 0};
  double confirmed = 0;
  double largest = -1;
  for (const LineCounts& line : lines) {
    if (!is_of(line.access, gate.access)) continue;
    const double value = measured(line, gate.measure) / gate.per;
    result.saw += value;
    if (line.confirmed) confirmed += value;
    if (!line.confirmed && value > 0) result.confirmed = false;
    if (value <= largest) continue;
    largest = value;
    result.file = line.file;
    result.line = line.line;
  }
  // Half of the least step a count can make, so that dividing cannot tip the scales.
  const double slack = 0.5 / gate.per;
  result.met = confirmed <= gate.at_most + slack && result.saw >= gate.at_least - slack;
  return result;
}

GateResult judge(const Gate& gate, double saw) {
  GateResult result{gate, saw, false, true, "", 0};
  result.met = saw >= gate.at_least && saw <= gate.at_most;
  return result;
}

std::string written_signature(const std::string& demangled) {
  const std::size_t open = demangled.find('(');
  if (open == std::string::npos || demangled.back() != ')') return demangled;
  // A template carries its return type.
  const std::size_t begin = demangled.rfind("void ", 0) == 0 && open > 5 ? 5 : 0;
  std::string text = demangled.substr(begin, open + 1 - begin);
  std::stringstream parameters(demangled.substr(open + 1, demangled.size() - open - 2));
  bool first = true;
  for (std::string parameter; std::getline(parameters, parameter, ',');) {
    if (!first) text += ", ";
    first = false;
    parameter.erase(0, parameter.find_first_not_of(' '));
    const std::size_t at = parameter.find(" const*");
    if (at != std::string::npos) parameter = "const " + parameter.erase(at, 6);
    text += parameter;
  }
  return text + ")";
}

std::string written_parameters(const std::string& function_type) {
  const std::string text = written_signature(function_type);
  return text.substr(std::min(text.find('('), text.size()));
}

bool Signature::matches() const {
  return std::find(found.begin(), found.end(), wanted) != found.end();
}

std::string Signature::text() const {
  if (matches()) return "";
  const std::string name = wanted.substr(0, wanted.find('('));
  std::string text = fmt::format("wanted: {}{}", before, wanted);
  if (found.empty()) return text + "\nfound:  no " + what;
  for (const std::string& kernel : found) {
    text += fmt::format("\nfound:  {}{}{}", what == "kernel" ? before : "", kernel,
                        kernel == name ? " declared extern \"C\"" : "");
  }
  return text;
}

std::vector<std::string> first_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  std::size_t count = 0;
  for (std::string line; std::getline(stream, line);) {
    if (++count <= shown_lines) lines.push_back(line);
  }
  if (count > shown_lines)
    lines.push_back(fmt::format("... and {} lines more", count - shown_lines));
  return lines;
}

std::string to_text(const CheckVerdict& verdict) {
  std::string text;
  if (verdict.passed()) {
    text = fmt::format("{}: {}\n", verdict.exercise, coloured("pass", Colour::green));
    for (const GateResult& gate : verdict.gates) text += "  " + gate_line(gate) + "\n";
  } else {
    text = fmt::format("{}: {}{}\n", verdict.exercise, coloured(verdict.verdict, Colour::red),
                       verdict.size.empty() ? "" : " at size " + verdict.size);
    text += paragraph("  ", verdict.message, 2);
    text += located(verdict.file, verdict.line);
  }
  if (!verdict.output.empty()) text += "  your code printed:\n";
  for (const std::string& line : verdict.output) text += "    " + line + "\n";
  if (verdict.time) {
    text += fmt::format("  {}: right at every size; {:.1f} us at {}\n", verdict.device,
                        verdict.time->median_us, verdict.size);
  }
  if (!verdict.passed()) {
    if (!verdict.lesson.empty()) text += fmt::format("  next: read {}\n", verdict.lesson);
    text += fmt::format("  hints: {}\n", task_of(verdict.exercise));
  }
  return text;
}

}  // namespace warpwise::lesson
