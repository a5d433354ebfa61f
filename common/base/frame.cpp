#include "base/frame.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace warpwise::lesson {
namespace {

/// The marks of earlier courses: files of learners still have them.
constexpr std::string_view older_begin_mark = "// BEGIN SOLUTION";
constexpr std::string_view older_end_mark = "// END SOLUTION";

constexpr std::string_view expectation_mark = "// expect:";

/// The lines of a text, each with its newline (the last one perhaps without).
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string ended(std::string text) {
  if (!text.empty() && text.back() != '\n') text += '\n';
  return text;
}

std::string line_directive(unsigned line, std::string_view file) {
  return "#line " + std::to_string(line) + " \"" + std::string(file) + "\"\n";
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The position after a literal that begins at `at` with a quote.
std::size_t skip_literal(std::string_view text, std::size_t at) {
  const char quote = text[at++];
  while (at < text.size() && text[at] != quote && text[at] != '\n') at += text[at] == '\\' ? 2 : 1;
  return std::min(at + 1, text.size());
}

/// The position after R"tag(...)tag" whose quote is at `at`.
std::size_t skip_raw_literal(std::string_view text, std::size_t at) {
  const std::size_t open = text.find('(', at);
  if (open == std::string_view::npos) return text.size();
  const std::string close = ")" + std::string(text.substr(at + 1, open - at - 1)) + "\"";
  const std::size_t end = text.find(close, open);
  return end == std::string_view::npos ? text.size() : end + close.size();
}

/// The position after a comment that begins at `at`, or `at` if none does.
std::size_t skip_comment(std::string_view text, std::size_t at) {
  if (text.substr(at, 2) == "//") return std::min(text.find('\n', at), text.size());
  if (text.substr(at, 2) != "/*") return at;
  const std::size_t end = text.find("*/", at + 2);
  return end == std::string_view::npos ? text.size() : end + 2;
}

/// Splits "name: description".
Mistake new_mistake(std::string_view title, const std::string& file, unsigned line) {
  const std::string where = file + ":" + std::to_string(line) + ": ";
  const std::size_t colon = title.find(':');
  Mistake mistake;
  mistake.name = trimmed(title.substr(0, colon));
  if (mistake.name.empty() || !std::all_of(mistake.name.begin(), mistake.name.end(), is_word)) {
    throw FrameError(where + "a mistake begins with //= name: description");
  }
  if (colon != std::string_view::npos) mistake.description = trimmed(title.substr(colon + 1));
  if (mistake.description.empty()) throw FrameError(where + mistake.name + " has no description");
  mistake.filling.file = file;
  mistake.filling.line = line + 1;
  return mistake;
}

void note_expectation(Mistake& mistake, std::string_view line, const std::string& file,
                      unsigned number) {
  const std::size_t at = line.find(expectation_mark);
  if (at == std::string_view::npos) return;
  const std::string where = file + ":" + std::to_string(number) + ": ";
  if (!mistake.expectation.empty()) {
    throw FrameError(where + mistake.name + " has two expectations");
  }
  mistake.expectation = trimmed(line.substr(at + expectation_mark.size()));
  constexpr std::string_view elsewhere = " in the frame";
  mistake.in_frame = mistake.expectation.ends_with(elsewhere);
  if (mistake.in_frame) {
    mistake.expectation.erase(mistake.expectation.size() - elsewhere.size());
  }
  if (mistake.expectation.empty()) throw FrameError(where + "nothing after // expect:");
  mistake.expected_line = number;
}

/// A stored mistake as a learner would have written it: without the word about how it dies.
std::string without_expectation(std::string_view text) {
  std::string plain;
  for (std::string_view line : lines_of(text)) {
    const std::size_t mark = line.find(expectation_mark);
    if (mark == std::string_view::npos) {
      plain += line;
    } else {
      const std::string_view code = line.substr(0, mark);
      plain += code.substr(0, code.find_last_not_of(' ') + 1);
      plain += '\n';
    }
  }
  while (plain.ends_with("\n\n")) plain.pop_back();
  return plain;
}

/// Returns the text of a stub's blank.
std::string given_text(const Frame& frame, std::string_view mistakes) {
  // Any other mistakes file may be broken without hiding the stub.
  if (mistakes.find("//= " + std::string(given_mistake) + ":") != std::string_view::npos) {
    for (const Mistake& mistake : parse_mistakes(mistakes, "the mistakes")) {
      if (mistake.name == given_mistake) return without_expectation(mistake.filling.text);
    }
  }
  return frame.indentation + std::string(blank_comment);
}

}  // namespace

Frame parse_frame(std::string_view text) {
  Frame frame;
  unsigned number = 0;
  unsigned begins = 0;
  unsigned ends = 0;
  for (std::string_view line : lines_of(text)) {
    ++number;
    const std::string_view bare = trimmed(line);
    if (bare == end_mark || bare == older_end_mark) {
      if (++ends == 1) frame.after_line = number;
    }
    std::string& part = ends > 0 ? frame.after : begins > 0 ? frame.blank : frame.before;
    part += line;
    if ((bare == begin_mark || bare == older_begin_mark) && ++begins == 1) {
      frame.blank_line = number + 1;
      frame.indentation = line.substr(0, line.find('/'));
    }
  }
  if (begins != 1 || ends != 1 || frame.after_line < frame.blank_line) {
    throw FrameError(
        "one blank is wanted, a line `// BEGIN YOUR CODE` and after it a line `// END YOUR CODE`; "
        "there are " +
        std::to_string(begins) + " and " + std::to_string(ends));
  }
  return frame;
}

std::string fill_frame(const Frame& frame, std::string_view frame_file, const Filling& filling) {
  if (filling.file.empty()) return frame.before + ended(filling.text) + frame.after;
  return line_directive(1, frame_file) + frame.before + line_directive(filling.line, filling.file) +
         ended(filling.text) + line_directive(frame.after_line, frame_file) + frame.after;
}

std::string make_stub(std::string_view solution, std::string_view mistakes) {
  const Frame frame = parse_frame(solution);
  return fill_frame(frame, "", {.text = given_text(frame, mistakes), .file = {}});
}

bool is_find_the_bug(std::string_view stub) { return !tokens_of(parse_frame(stub).blank).empty(); }

AnswerFiles answer_files(const std::filesystem::path& root, const std::string& chapter,
                         const std::string& name) {
  const std::filesystem::path pristine = root / "chapters" / chapter / "pristine";
  const std::filesystem::path solutions = root / "solutions" / chapter;
  AnswerFiles files{solutions / (name + ".cu"), solutions / "mistakes" / (name + ".cu"),
                    pristine / (name + ".json")};
  std::error_code none;
  const std::filesystem::path stub = pristine / (name + ".cu");
  files.exported =
      !std::filesystem::exists(files.frame, none) && std::filesystem::exists(stub, none);
  if (files.exported) files.frame = stub;
  return files;
}

std::vector<std::string_view> tokens_of(std::string_view text) {
  std::vector<std::string_view> tokens;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t behind_comment = skip_comment(text, at);
    if (behind_comment != at) {
      at = behind_comment;
      continue;
    }
    const std::size_t begin = at;
    if (std::isspace(static_cast<unsigned char>(text[at])) != 0) {
      ++at;
      continue;
    }
    if (is_word(text[at])) {
      while (at < text.size() && is_word(text[at])) ++at;
      const bool raw = text[at - 1] == 'R' && at < text.size() && text[at] == '"';
      if (raw) at = skip_raw_literal(text, at);
    } else if (text[at] == '"' || text[at] == '\'') {
      at = skip_literal(text, at);
    } else {
      ++at;
    }
    tokens.push_back(text.substr(begin, at - begin));
  }
  return tokens;
}

bool same_code(std::string_view one, std::string_view other) {
  return tokens_of(one) == tokens_of(other);
}

std::vector<Mistake> parse_mistakes(std::string_view text, const std::string& file) {
  std::vector<Mistake> mistakes;
  unsigned number = 0;
  for (std::string_view line : lines_of(text)) {
    ++number;
    if (line.substr(0, 3) == "//=") {
      mistakes.push_back(new_mistake(line.substr(3), file, number));
      continue;
    }
    if (mistakes.empty()) {
      const std::string_view bare = trimmed(line);
      if (bare.empty() || bare.substr(0, 2) == "//") continue;
      throw FrameError(file + ":" + std::to_string(number) +
                       ": code before the first `//= name: description`");
    }
    mistakes.back().filling.text += line;
    note_expectation(mistakes.back(), line, file, number);
  }
  std::set<std::string> names;
  for (const Mistake& mistake : mistakes) {
    const std::string where = file + ":" + std::to_string(mistake.filling.line - 1) + ": ";
    if (mistake.expectation.empty()) {
      throw FrameError(where + mistake.name + " has no line with `// expect: ...`");
    }
    if (!names.insert(mistake.name).second) {
      throw FrameError(where + "a second mistake is called " + mistake.name);
    }
  }
  return mistakes;
}

}  // namespace warpwise::lesson
