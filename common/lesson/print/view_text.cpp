#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lesson/print/excerpt.h"
#include "lesson/print/table.h"
#include "lesson/print/text.h"
#include "lesson/start/paths.h"

namespace warpwise::lesson {
namespace {

std::string access_picture(const LineCounts& line) {
  const bool shared = line.access.rfind("shared", 0) == 0;
  const double units = shared ? line.wavefronts : line.sectors;
  const double per_request = line.requests > 0 ? units / line.requests : 0;
  const auto marks = static_cast<std::size_t>(std::clamp(std::round(per_request), 0.0, 32.0));
  const std::string in_flight =
      line.loads_in_flight > 0 ? fmt::format("  {:.0f} in flight", line.loads_in_flight) : "";
  return fmt::format("  {:<13} {:>9.0f} requests {:>6.2f} {} each  {}{}{}\n", line.access,
                     line.requests, per_request, shared ? "wavefronts" : "sectors   ",
                     std::string(marks, '#'), in_flight, line.confirmed ? "" : " (from PTX)");
}

}  // namespace

std::string source_line(const std::string& file, unsigned line) {
  const std::string found = raw_source_line(file, line);
  const std::size_t begin = found.find_first_not_of(" \t");
  return begin == std::string::npos ? "" : found.substr(begin, text_width - 6);
}

std::string view_text(const std::string& name, const std::string& size, const Counts& counts) {
  if (counts.lines.empty()) return fmt::format("\n{}: no accesses were counted\n", name);
  std::string text = fmt::format(
      "\n{}: memory accesses at {} (one # is one sector or wavefront "
      "of a request)\n",
      name, size.empty() ? "the small size" : size);
  std::string last;
  for (const LineCounts& line : counts.lines) {
    const std::string place = fmt::format("{}:{}", shown_path(line.file), line.line);
    if (place != last) {
      text += place + "\n";
      const std::string source = source_line(line.file, line.line);
      if (!source.empty()) text += "    " + source + "\n";
    }
    last = place;
    text += access_picture(line);
  }
  return text;
}

}  // namespace warpwise::lesson
