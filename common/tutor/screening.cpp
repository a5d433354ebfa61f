#include "tutor/screening.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <sstream>
#include <vector>

#include "lesson/frame.h"
#include "tutor/failure.h"
#include "tutor/files.h"
#include "tutor/kind.h"
#include "tutor/process.h"

namespace warpwise::tutor {

namespace fs = std::filesystem;

namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// A source as the preprocessor's first phases see it: a backslash at the end of a line joins the
// next one, comments are gone, the text of literals is too (but not of directives: there it counts
// as nothing anyway). Each line keeps the number it begins with.
class Plain {
 public:
  explicit Plain(std::string_view text) : text_(text) {}

  struct Line {
    unsigned number = 1;
    std::string text;
  };

  std::vector<Line> lines() {
    Line line{line_, {}};
    while (at_ < text_.size()) {
      skip_joins();
      if (at_ >= text_.size()) break;
      if (skip_comment()) {
        line.text += ' ';
        continue;
      }
      const char c = text_[at_];
      if (c == '\n') {
        next();
        done_.push_back(std::move(line));
        line = {line_, {}};
      } else if (c == '"' || c == '\'') {
        take_literal(line.text);
      } else {
        line.text += c;
        next();
      }
    }
    done_.push_back(std::move(line));
    return std::move(done_);
  }

 private:
  void next() {
    if (text_[at_++] == '\n') ++line_;
  }
  bool starts(std::string_view what) const { return text_.substr(at_, what.size()) == what; }
  void skip_joins() {
    for (;;) {
      std::size_t end = at_ + 1;
      while (at_ < text_.size() && text_[at_] == '\\' && end < text_.size() &&
             (text_[end] == ' ' || text_[end] == '\t' || text_[end] == '\r')) {
        ++end;
      }
      if (at_ >= text_.size() || text_[at_] != '\\' || end >= text_.size() || text_[end] != '\n') {
        return;
      }
      at_ = end + 1;
      ++line_;
    }
  }
  bool skip_comment() {
    if (starts("//")) {
      while (at_ < text_.size() && text_[at_] != '\n') {
        next();
        skip_joins();
      }
      return true;
    }
    if (!starts("/*")) return false;
    while (at_ < text_.size() && !starts("*/")) next();
    at_ = std::min(at_ + 2, text_.size());
    return true;
  }
  // A raw literal has no escapes and may go over lines.
  void take_literal(std::string& line) {
    const char quote = text_[at_];
    // 1'000: a digit separator, no literal.
    if (quote == '\'' && !line.empty() && std::isxdigit(static_cast<unsigned char>(line.back()))) {
      line += '\'';
      next();
      return;
    }
    line += quote;
    if (quote == '"' && line.size() > 1 && line[line.size() - 2] == 'R') return take_raw(line);
    next();
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) next();
      next();
    }
    if (at_ < text_.size() && text_[at_] == quote) next();
    line += quote;
  }
  void take_raw(std::string& line) {
    const std::size_t open = text_.find('(', at_);
    std::size_t end = text_.size();
    if (open != std::string_view::npos) {
      const std::string close = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
      const std::size_t found = text_.find(close, open);
      if (found != std::string_view::npos) end = found + close.size();
    }
    while (at_ < end) next();
    line += '"';
  }

  std::string_view text_;
  std::size_t at_ = 0;
  unsigned line_ = 1;
  std::vector<Line> done_;
};

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_word(text[at])) {
      ++at;
      continue;
    }
    const std::size_t begin = at;
    while (at < text.size() && is_word(text[at])) ++at;
    words.push_back(text.substr(begin, at - begin));
  }
  return words;
}

template <std::size_t n>
bool is_one_of(const std::string& word, const std::array<const char*, n>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

constexpr std::array<const char*, 10> harmless_directives{
    "if", "ifdef", "ifndef", "elif", "else", "endif", "define", "undef", "error", "warning"};
// They read files, or say them.
constexpr std::array<const char*, 7> file_words{
    "__has_include", "__has_include_next", "__has_embed",      "_Pragma",
    "__pragma",      "__FILE__",           "__INCLUDE_LEVEL__"};

constexpr std::array<const char*, 3> assembler_words{"asm", "__asm", "__asm__"};

// `#pragma unroll` is part of the lessons; others can rename symbols or poison words.
bool is_harmless(const std::vector<std::string>& words) {
  if (words.empty()) return true;
  if (words[0] == "pragma") {
    const bool gcc = words.size() > 2 && words[1] == "GCC";
    const std::string& what = gcc ? words[2] : words.size() > 1 ? words[1] : words[0];
    return what == "unroll" || what == "nounroll" || what == "diagnostic" ||
           what.starts_with("nv_diag");
  }
  return is_one_of(words[0], harmless_directives);
}

std::string forbidden_in_line(const std::string& line, bool host_code) {
  const std::size_t first = line.find_first_not_of(" \t\r\f\v");
  if (first == std::string::npos) return {};
  const bool directive = line[first] == '#' || line.compare(first, 2, "%:") == 0 ||
                         line.compare(first, 3, "\?\?=") == 0;
  const auto words = words_of(line);
  if (directive && !is_harmless(words)) return "#" + words[0];
  for (const std::string& word : words) {
    if (is_one_of(word, file_words)) return word;
    if (host_code && is_one_of(word, assembler_words)) return word;
  }
  // Words that are put together are not seen above.
  for (const char* paste : {"##", "%:%:", "\?\?=\?\?="}) {
    if (line.find(paste) != std::string::npos) return paste;
  }
  return {};
}

// What may be called from host code: beginnings of names.
constexpr std::array<const char*, 21> allowed_beginnings{
    "cuda", "__cuda", "__ubsan_", "__cxa_", "__gxx_personality", "_Unwind_", "_ITM_",
    "__gmon_start", "__stack_chk_fail",
    // operator new and delete, exceptions, std::__throw_...
    "_Zn", "_Zd", "_ZTV", "_ZTI", "_ZTS", "_ZSt", "_ZNSo", "_ZNSt8ios_base4Init", "_ZNSt9exception",
    "_ZNSt13runtime_error", "_ZNSt11logic_error", "_ZNSt7__cxx1112basic_string"};
constexpr std::array<const char*, 35> allowed_names{
    "printf", "puts",    "putchar", "fprintf", "fputs",  "fputc",   "fwrite",
    "fflush", "stdout",  "stderr",  "malloc",  "calloc", "realloc", "free",
    "memcpy", "memmove", "memset",  "memcmp",  "strlen", "exit",    "abort",
    "assert", "abs",     "labs",    "ceil",    "floor",  "round",   "trunc",
    "sqrt",   "fmod",    "pow",     "exp",     "log",    "log2",    "__assert_fail"};

bool is_allowed(std::string name) {
  name = name.substr(0, name.find('@'));
  for (const char* beginning : allowed_beginnings) {
    if (name.starts_with(beginning)) return true;
  }
  // float variants: ceilf.
  const std::string plain = name.ends_with('f') ? name.substr(0, name.size() - 1) : name;
  return is_one_of(name, allowed_names) || is_one_of(plain, allowed_names);
}

}  // namespace

std::string forbidden_in(std::string_view blank, unsigned first_line, bool host_code) {
  for (const Plain::Line& line : Plain(blank).lines()) {
    const std::string found = forbidden_in_line(line.text, host_code);
    if (!found.empty()) {
      return fmt::format("line {}: {} is not accepted in a blank", first_line + line.number - 1,
                         found);
    }
  }
  return {};
}

std::string forbidden_imports(const fs::path& image) {
  const Outcome outcome =
      run_captured({.words = {"nm", "-D", "--undefined-only", "--format=posix", image.string()}});
  if (outcome.status != 0) {
    throw Failure(status_environment, "nm cannot list what an image calls: " + outcome.err);
  }
  std::istringstream lines(outcome.out);
  for (std::string line; std::getline(lines, line);) {
    const std::string name = line.substr(0, line.find(' '));
    if (!is_allowed(name)) {
      return fmt::format("calls {}, which no answer needs", name.substr(0, name.find('@')));
    }
  }
  return {};
}

Screened screen(const Exercise& exercise, std::string_view text, const std::string& file) {
  const std::string frame_text = read_file(exercise.frame);
  const lesson::Frame ours = lesson::parse_frame(frame_text);
  Screened screened;
  lesson::Frame theirs;
  try {
    theirs = lesson::parse_frame(text);
  } catch (const lesson::FrameError& error) {
    screened.problem = error.what();
    return screened;
  }
  screened.blank = theirs.blank;
  screened.unsolved = lesson::same_code(theirs.blank, "");
  if (!lesson::same_code(theirs.before, ours.before) ||
      !lesson::same_code(theirs.after, ours.after)) {
    screened.note = "changed outside of the blank: only the blank counts";
  }
  screened.problem = forbidden_in(theirs.blank, theirs.blank_line, kind_of(exercise) != "exercise");
  screened.source = lesson::fill_frame(
      ours, file, {.text = theirs.blank, .file = file, .line = theirs.blank_line});
  return screened;
}

}  // namespace warpwise::tutor
