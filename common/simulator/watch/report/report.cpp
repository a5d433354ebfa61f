#include "simulator/watch/report/report.h"

#include <fmt/format.h>

#include <algorithm>

#include "simulator/watch/report/place_text.h"

namespace warpwise::watch {
namespace {

std::string index_text(const Index3& index) {
  return fmt::format("({}, {}, {})", index[0], index[1], index[2]);
}

}  // namespace

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
