#include "tutor/attempt/difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "tutor/reading/page.h"

namespace warpwise::tutor {
namespace {

using Side = DifferenceLine::Side;
using Lines = std::vector<std::string>;

// The lines of a text as they are shown: without tabs, control characters or blanks at the end.
Lines shown_lines(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    std::string line;
    for (const char c : text.substr(0, end)) {
      if (c == '\t') {
        line += std::string(4 - line.size() % 4, ' ');
      } else if (static_cast<unsigned char>(c) >= ' ' && c != '\x7f') {
        line += c;
      }
    }
    line.erase(line.find_last_not_of(' ') + 1);
    lines.push_back(std::move(line));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// Lengths of the longest common subsequences of what follows each pair of lines.
class Table {
 public:
  Table(const Lines& left, const Lines& right)
      : columns_(right.size() + 1), lengths_((left.size() + 1) * columns_) {
    for (std::size_t i = left.size(); i-- > 0;) {
      for (std::size_t j = right.size(); j-- > 0;) {
        at(i, j) =
            left[i] == right[j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
      }
    }
  }
  std::uint32_t& at(std::size_t i, std::size_t j) { return lengths_[i * columns_ + j]; }

 private:
  std::size_t columns_;
  std::vector<std::uint32_t> lengths_;
};

constexpr std::size_t most_cells = 4'000'000;

// For texts without a common beginning.
std::vector<DifferenceLine> compared(const Lines& left, const Lines& right) {
  std::vector<DifferenceLine> result;
  std::size_t i = 0, j = 0;
  if ((left.size() + 1) * (right.size() + 1) <= most_cells) {
    Table table(left, right);
    while (i < left.size() && j < right.size()) {
      if (left[i] == right[j]) {
        result.push_back({Side::both, left[i]});
        ++i, ++j;
      } else if (table.at(i + 1, j) >= table.at(i, j + 1)) {
        result.push_back({Side::left, left[i++]});
      } else {
        result.push_back({Side::right, right[j++]});
      }
    }
  }
  while (i < left.size()) result.push_back({Side::left, left[i++]});
  while (j < right.size()) result.push_back({Side::right, right[j++]});
  return result;
}

// The blanks that every line of both texts begins with.
std::size_t common_indentation(const Lines& left, const Lines& right) {
  std::size_t blanks = std::string::npos;
  for (const Lines* lines : {&left, &right}) {
    for (const std::string& line : *lines) {
      if (!line.empty()) blanks = std::min(blanks, line.find_first_not_of(' '));
    }
  }
  return blanks == std::string::npos ? 0 : blanks;
}

std::size_t widest(const Lines& lines) {
  std::size_t columns = 0;
  for (const std::string& line : lines) columns = std::max(columns, columns_of(line));
  return columns;
}

std::string without_end_blanks(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + '\n';
}

// A row of two columns. The mark: | for lines that replace each other, < and > for one side only.
std::string row(std::string_view left, char mark, std::string_view right, std::size_t column) {
  return without_end_blanks(fmt::format("{} {} {}", padded(left, column), mark, right));
}

// Changed lines of both sides are next to each other.
std::string beside(const std::vector<DifferenceLine>& lines, std::size_t column) {
  std::string text;
  Lines left, right;
  const auto flush = [&] {
    for (std::size_t i = 0; i < std::max(left.size(), right.size()); ++i) {
      const bool both = i < left.size() && i < right.size();
      text += row(i < left.size() ? left[i] : "",
                  both              ? '|'
                  : i < left.size() ? '<'
                                    : '>',
                  i < right.size() ? right[i] : "", column);
    }
    left.clear();
    right.clear();
  };
  for (const DifferenceLine& line : lines) {
    if (line.side == Side::left) left.push_back(line.text);
    if (line.side == Side::right) right.push_back(line.text);
    if (line.side != Side::both) continue;
    flush();
    text += row(line.text, ' ', line.text, column);
  }
  flush();
  return text;
}

// The position after so many characters.
std::size_t cut(std::string_view text, std::size_t columns) {
  std::size_t at = 0;
  while (at < text.size() && columns_of(text.substr(0, at + 1)) <= columns) ++at;
  // Behind a word, where that leaves no large gap.
  const auto blank = text.substr(0, at).rfind(' ');
  return blank != text.npos && blank >= at / 2 ? blank + 1 : std::max<std::size_t>(at, 1);
}

std::string below(const std::vector<DifferenceLine>& lines, std::size_t width) {
  std::string text;
  const std::size_t room = std::max<std::size_t>(width, 12) - 2;
  for (const DifferenceLine& line : lines) {
    const char mark = line.side == Side::both ? ' ' : line.side == Side::left ? '-' : '+';
    std::string_view rest = line.text;
    do {
      const std::size_t end = columns_of(rest) <= room ? rest.size() : cut(rest, room);
      text += without_end_blanks(fmt::format("{} {}", mark, rest.substr(0, end)));
      rest.remove_prefix(end);
    } while (!rest.empty());
  }
  return text;
}

}  // namespace

std::vector<DifferenceLine> line_differences(std::string_view left, std::string_view right) {
  Lines ours = shown_lines(left), theirs = shown_lines(right);
  std::vector<DifferenceLine> result, end;
  const auto [from, other] = std::mismatch(ours.begin(), ours.end(), theirs.begin(), theirs.end());
  for (auto line = ours.begin(); line != from; ++line) result.push_back({Side::both, *line});
  ours.erase(ours.begin(), from);
  theirs.erase(theirs.begin(), other);
  while (!ours.empty() && !theirs.empty() && ours.back() == theirs.back()) {
    end.push_back({Side::both, ours.back()});
    ours.pop_back();
    theirs.pop_back();
  }
  const auto middle = compared(ours, theirs);
  result.insert(result.end(), middle.begin(), middle.end());
  result.insert(result.end(), end.rbegin(), end.rend());
  return result;
}

std::string differences_text(std::string_view left_title, std::string_view left,
                             std::string_view right_title, std::string_view right,
                             std::size_t width) {
  const Lines ours = shown_lines(left), theirs = shown_lines(right);
  const std::size_t indentation = common_indentation(ours, theirs);
  auto lines = line_differences(left, right);
  for (DifferenceLine& line : lines) line.text.erase(0, indentation);
  const auto columns = [indentation](const Lines& text, std::string_view title) {
    const std::size_t most = widest(text);
    return std::max(most - std::min(most, indentation), columns_of(title));
  };
  const std::size_t column = columns(ours, left_title), other = columns(theirs, right_title);
  if (column + 3 + other > width) {
    return fmt::format("--- {}\n+++ {}\n", left_title, right_title) + below(lines, width);
  }
  return row(left_title, ' ', right_title, column) +
         row(std::string(column, '-'), ' ', std::string(other, '-'), column) +
         beside(lines, column);
}

}  // namespace warpwise::tutor
