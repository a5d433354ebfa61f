#include "lesson/print/table.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

namespace warpwise::lesson {
namespace {

constexpr std::size_t wide_gap = 2;
constexpr std::size_t narrow_gap = 1;

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::string blanks(width > text.size() ? width - text.size() : 0, ' ');
  return right ? blanks + text : text + blanks;
}

std::string cut(const std::string& text, std::size_t width) {
  return text.size() <= width ? text : text.substr(0, width > 2 ? width - 2 : 0) + "..";
}

}  // namespace

bool colour_wanted() {
  static const bool wanted = ::isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
  return wanted;
}

std::string coloured(const std::string& text, Colour colour) {
  if (colour == Colour::none || !colour_wanted()) return text;
  const int code = colour == Colour::green ? 32 : colour == Colour::red ? 31 : 33;
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

void Table::add(std::vector<Cell> cells) {
  if (cells.size() != columns_.size()) throw std::logic_error("a row of another width");
  rows_.push_back(std::move(cells));
}

std::string Table::text() const {
  std::vector<std::size_t> widths;
  std::size_t cells = 0;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    std::size_t width = std::max(columns_[c].name.size(), columns_[c].unit.size());
    for (const auto& row : rows_) width = std::max(width, row[c].text.size());
    widths.push_back(width);
    cells += width;
  }
  const std::size_t gaps = columns_.size() - 1;
  const std::size_t gap = cells + gaps * wide_gap <= text_width ? wide_gap : narrow_gap;
  const std::size_t total = cells + gaps * gap;
  if (total > text_width) {
    const std::size_t excess = total - text_width;
    widths[0] = std::max<std::size_t>(widths[0] > excess ? widths[0] - excess : 0, 8);
  }
  const auto line = [&](auto cell_of) {
    std::string text;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const Cell cell = cell_of(c);
      const std::string shown = cut(cell.text, widths[c]);
      std::string field = padded(shown, widths[c], columns_[c].right);
      field.replace(field.find(shown), shown.size(), coloured(shown, cell.colour));
      text += (c == 0 ? "" : std::string(gap, ' ')) + field;
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
  };
  std::string text = line([&](std::size_t c) { return Cell{columns_[c].name, Colour::none}; });
  text += line([&](std::size_t c) { return Cell{columns_[c].unit, Colour::none}; });
  for (const auto& row : rows_) {
    text += line([&](std::size_t c) { return row[c]; });
  }
  return text;
}

}  // namespace warpwise::lesson
