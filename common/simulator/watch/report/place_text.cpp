#include "simulator/watch/report/place_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

namespace warpwise::watch {

std::string source_line(const std::string& file, unsigned line) {
  std::ifstream in(file);
  std::string text;
  for (unsigned i = 0; i < line; ++i)
    if (!std::getline(in, text)) return {};
  return text;
}

std::string place_text(const report::Diagnosis& d) {
  if (d.line == 0) return {};
  std::string text = fmt::format("  at {}:{}\n", d.file, d.line);
  if (std::string source = source_line(d.file, d.line); !source.empty()) {
    std::size_t indent = std::min(source.find_first_not_of(" \t"), source.size());
    // Tabs stay tabs above the caret, so that it is below the same character.
    std::string above =
        source.substr(indent, std::max<std::size_t>(d.column, indent + 1) - indent - 1);
    for (char& c : above) c = c == '\t' ? '\t' : ' ';
    text += fmt::format("  {:>5} | {}\n        | {}^\n", d.line, source.substr(indent), above);
  }
  return text;
}

}  // namespace warpwise::watch
