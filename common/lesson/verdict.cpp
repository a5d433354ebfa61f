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

std::string gate_line(const GateResult& gate) {
  std::string text =
      fmt::format("{}: saw {}, wants {}", gate.gate.what, gate.saw_text(), gate.wanted());
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
