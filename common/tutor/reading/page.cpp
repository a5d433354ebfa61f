#include "tutor/reading/page.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>

namespace warpwise::tutor {
namespace {

constexpr std::size_t usual_width = 80, narrowest_page = 60, widest_page = 100;

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t") == line.npos; }
bool is_fence(std::string_view line) { return line.starts_with("```"); }

// The indentation of the text of a list's item: 2 for "- text", 3 for "1. text"; 0 for other lines.
std::size_t item_indent(std::string_view line) {
  const auto begin = std::min(line.find_first_not_of(' '), line.size());
  std::string_view rest = line.substr(begin);
  if (rest.starts_with("- ") || rest.starts_with("* ")) return begin + 2;
  std::size_t digits = 0;
  while (digits < rest.size() && std::isdigit(static_cast<unsigned char>(rest[digits])) != 0) {
    ++digits;
  }
  return digits > 0 && digits < 3 && rest.substr(digits).starts_with(". ") ? begin + digits + 2 : 0;
}

// Whether a line is printed as it is.
bool is_fixed(std::string_view line) {
  return line.starts_with("    ") || line.starts_with('\t') || line.starts_with('|') ||
         line.starts_with('#') || is_fence(line);
}

// Collects words and breaks them into lines.
class Paragraph {
 public:
  Paragraph(std::size_t width, std::string_view indent) : width_(width), indent_(indent) {}

  void begin(std::size_t hanging) { hanging_ = hanging; }
  void add(std::string_view line) {
    while (!is_blank(line)) {
      line.remove_prefix(line.find_first_not_of(" \t"));
      const auto end = std::min(line.find_first_of(" \t"), line.size());
      words_.push_back(line.substr(0, end));
      line.remove_prefix(end);
    }
  }
  std::string take() {
    std::string text, line;
    for (const std::string_view word : words_) {
      const std::size_t wanted = columns_of(indent_) + columns_of(line) + 1 + columns_of(word);
      if (!is_blank(line) && wanted > width_) {
        text += fmt::format("{}{}\n", indent_, line);
        line = std::string(hanging_, ' ');
      }
      if (!is_blank(line)) line += ' ';
      line += word;
    }
    if (!line.empty()) text += fmt::format("{}{}\n", indent_, line);
    words_.clear();
    hanging_ = 0;
    return text;
  }

 private:
  std::size_t width_;
  std::string_view indent_;
  std::size_t hanging_ = 0;
  std::vector<std::string_view> words_;
};

// True for a line that folds a part of a page on GitHub: it is not text to read.
bool is_fold(std::string_view line) {
  return line.starts_with("<details>") || line.starts_with("</details>");
}

std::string without_blank_ends(const std::vector<std::string_view>& lines, std::size_t from,
                               std::size_t to) {
  const auto is_nothing = [&](std::size_t at) { return is_blank(lines[at]) || is_fold(lines[at]); };
  while (from < to && is_nothing(from)) ++from;
  while (to > from && is_nothing(to - 1)) --to;
  std::string text;
  for (std::size_t i = from; i < to; ++i) text += std::string(lines[i]) + '\n';
  return text;
}

}  // namespace

std::vector<std::string_view> text_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    if (lines.back().ends_with('\r')) lines.back().remove_suffix(1);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::vector<Section> sections(std::string_view markdown) {
  const std::vector<std::string_view> lines = text_lines(markdown);
  std::vector<std::size_t> headings;
  bool in_fence = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (is_fence(lines[i])) in_fence = !in_fence;
    if (!in_fence && lines[i].starts_with('#')) headings.push_back(i);
  }
  std::vector<Section> result;
  for (std::size_t i = 0; i < headings.size(); ++i) {
    const std::string_view line = lines[headings[i]];
    const auto begin = std::min(line.find_first_not_of("# "), line.size());
    const std::size_t end = i + 1 < headings.size() ? headings[i + 1] : lines.size();
    result.push_back({std::string(line.substr(begin)),
                      without_blank_ends(lines, headings[i] + 1, end),
                      static_cast<unsigned>(headings[i] + 1)});
  }
  return result;
}

std::size_t terminal_width() {
  winsize size{};
  if (isatty(STDOUT_FILENO) == 0 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 ||
      size.ws_col == 0) {
    return usual_width;
  }
  return size.ws_col;
}

std::size_t page_width() { return std::clamp(terminal_width(), narrowest_page, widest_page); }

std::size_t columns_of(std::string_view text) {
  // Bytes 10xxxxxx continue a character.
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) >> 6) != 2; }));
}

std::string padded(std::string_view text, std::size_t columns) {
  return std::string(text) + std::string(columns - std::min(columns, columns_of(text)), ' ');
}

std::string first_line(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

std::string wrapped(std::string_view markdown, std::size_t width, std::string_view indent) {
  std::string text;
  Paragraph paragraph(width, indent);
  bool in_fence = false;
  for (const std::string_view line : text_lines(markdown)) {
    const bool fixed = in_fence || is_fixed(line);
    if (is_fence(line)) in_fence = !in_fence;
    const std::size_t hanging = item_indent(line);
    if (fixed || hanging > 0 || is_blank(line)) text += paragraph.take();
    if (is_blank(line)) {
      text += '\n';
    } else if (fixed) {
      text += fmt::format("{}{}\n", indent, line);
    } else {
      if (hanging > 0) paragraph.begin(hanging);
      paragraph.add(line);
    }
  }
  return text + paragraph.take();
}

}  // namespace warpwise::tutor
