#include "tutor/live/text.h"

#include <algorithm>
#include <utility>

#include "tutor/reading/page.h"

namespace warpwise::tutor::watch {
namespace {

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

// Bytes of the UTF-8 character at the front; 0 when it is broken or a control character.
std::size_t character_size(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
  const std::size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < size) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if (!is_continuation(text[i])) return 0;
  }
  // U+0080 to U+009F are also control characters.
  const bool control = first == 0xc2 && static_cast<unsigned char>(text[1]) < 0xa0;
  return control ? 0 : size;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// The first byte after so many characters.
std::size_t byte_of(std::string_view line, std::size_t column) {
  std::size_t at = 0;
  for (std::size_t i = 0; at < line.size(); ++at) {
    if (!is_continuation(line[at]) && i++ == column) break;
  }
  return at;
}

std::string_view cut(std::string_view line, std::size_t from, std::size_t columns) {
  const std::size_t begin = byte_of(line, from);
  return line.substr(begin, byte_of(line.substr(begin), columns));
}

bool is_caret(std::string_view line) {
  return line.find('^') != std::string_view::npos &&
         line.find_first_not_of(" ^~") == std::string_view::npos;
}

void wrap(std::string_view line, std::size_t columns, std::vector<std::string>& lines) {
  const std::size_t first = std::min(line.find_first_not_of(' '), line.size());
  const std::size_t indent = std::min(first, columns / 2);
  bool begun = false;
  for (std::size_t most; (most = byte_of(line, columns)) < line.size();) {
    std::size_t end = line.rfind(' ', most);
    const std::size_t content = std::min(line.find_first_not_of(' '), line.size());
    if (end == std::string_view::npos || end <= content) end = most;
    lines.emplace_back(line.substr(0, end));
    line.remove_prefix(end);
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    columns -= begun ? 0 : indent;
    if (!std::exchange(begun, true)) continue;
    lines.back().insert(0, indent, ' ');
  }
  if (!begun) {
    lines.emplace_back(line);
  } else if (!line.empty()) {
    lines.push_back(std::string(indent, ' ') + std::string(line));
  }
}

// A line of code and the caret below it, both from the same column on.
void cut_at_caret(std::string_view code, std::string_view caret, std::size_t columns,
                  std::vector<std::string>& lines) {
  const std::size_t at = caret.find('^');
  const std::size_t from = at < columns ? 0 : at - columns / 2;
  lines.emplace_back(cut(code, from, columns));
  lines.emplace_back(cut(caret, from, columns));
}

}  // namespace

std::string printable(std::string_view text) {
  constexpr std::size_t tab = 8;
  std::string result;
  std::size_t column = 0;
  while (!text.empty()) {
    const std::size_t size = character_size(text);
    if (text[0] == '\n') {
      result += '\n';
      column = 0;
    } else if (text[0] == '\t') {
      const std::size_t blanks = tab - column % tab;
      result.append(blanks, ' ');
      column += blanks;
    } else if (text.substr(0, 2) != "\r\n") {
      result += size == 0 ? "?" : text.substr(0, size);
      ++column;
    }
    text.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return result;
}

std::vector<std::string> fitted(std::string_view text, std::size_t columns) {
  const std::vector<std::string_view> in = lines_of(text);
  std::vector<std::string> out;
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (i + 1 < in.size() && is_caret(in[i + 1]) && columns_of(in[i]) > columns) {
      cut_at_caret(in[i], in[i + 1], columns, out);
      ++i;
    } else {
      wrap(in[i], columns, out);
    }
  }
  return out;
}

}  // namespace warpwise::tutor::watch
