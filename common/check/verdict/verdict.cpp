#include "check/verdict/verdict.h"

#include <fmt/format.h>

#include <sstream>

namespace warpwise::lesson {
namespace {

constexpr std::size_t shown_lines = 20;

constexpr std::size_t longest_line = 200;

/// Replaces what a terminal would take as a command by a question mark.
std::string printable(std::string line) {
  if (line.size() > longest_line) line = line.substr(0, longest_line) + "..";
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < ' ' && c != '\t') c = '?';
  }
  return line;
}

}  // namespace

std::vector<std::string> first_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  std::size_t count = 0;
  for (std::string line; std::getline(stream, line);) {
    if (++count <= shown_lines) lines.push_back(printable(line));
  }
  if (count > shown_lines)
    lines.push_back(fmt::format("... and {} lines more", count - shown_lines));
  return lines;
}

}  // namespace warpwise::lesson
