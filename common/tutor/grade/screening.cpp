#include "tutor/grade/screening.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <sstream>
#include <vector>

#include "base/frame.h"
#include "tutor/attempt/source_lines.h"
#include "tutor/course/kind.h"
#include "tutor/course/state.h"
#include "tutor/system/failure.h"
#include "tutor/system/files.h"
#include "tutor/system/process.h"

namespace warpwise::tutor {

namespace fs = std::filesystem;

namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::vector<std::string> whole_words_of(const std::string& text) {
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

// Attributes whose text goes to the assembler as it is, or that give a function other code or
// another time to run; GCC also takes them with underscores.
constexpr std::array<const char*, 8> attribute_words{
    "section", "alias", "weakref", "ifunc", "symver", "constructor", "destructor", "init_priority"};

bool is_forbidden_attribute(const std::string& word) {
  const std::size_t first = word.find_first_not_of('_');
  if (first == std::string::npos) return false;
  return is_one_of(word.substr(first, word.find_last_not_of('_') + 1 - first), attribute_words);
}

// Where a directive's sign begins; npos in other lines.
std::size_t directive_sign(const std::string& line) {
  const std::size_t first = line.find_first_not_of(" \t\r\f\v");
  if (first == std::string::npos) return first;
  const bool directive = line[first] == '#' || line.compare(first, 2, "%:") == 0;
  return directive ? first : std::string::npos;
}

std::string forbidden_in_line(const std::string& line, bool host_code) {
  const std::size_t sign = directive_sign(line);
  const auto words = whole_words_of(line);
  if (sign != std::string::npos && !is_harmless(words)) return "#" + words[0];
  for (const std::string& word : words) {
    if (is_one_of(word, file_words)) return word;
    if (host_code && is_one_of(word, assembler_words)) return word;
  }
  // Words that are put together are not seen above; a sign elsewhere could become a directive.
  const std::size_t rest = sign == std::string::npos ? 0 : sign + 1;
  for (const char* paste : {"##", "%:%:", "#", "%:"}) {
    if (line.find(paste, rest) != std::string::npos) return paste;
  }
  return {};
}

// Assembler, or an attribute with its bracket, in text without macros. A bracket may be in a later
// line.
std::string forbidden_when_expanded(const std::vector<SourceLine>& lines) {
  std::string attribute;
  for (const SourceLine& line : lines) {
    for (std::size_t at = 0; at < line.text.size();) {
      const std::size_t begin = at;
      while (at < line.text.size() && is_word(line.text[at])) ++at;
      const std::string word = line.text.substr(begin, at - begin);
      if (is_one_of(word, assembler_words)) {
        return fmt::format("line {}: assembler ({}) is not accepted in a blank", line.number, word);
      }
      if (!word.empty()) {
        attribute = is_forbidden_attribute(word) ? word : "";
        continue;
      }
      const char c = line.text[at++];
      if (c == '(' && !attribute.empty()) {
        return fmt::format("line {}: the attribute {} is not accepted in a blank", line.number,
                           attribute);
      }
      if (std::isspace(static_cast<unsigned char>(c)) == 0) attribute.clear();
    }
  }
  return {};
}

// Functions that may be called from host code: beginnings of names.
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
  const SourceLines source = source_lines(blank);
  const auto refused = [&](unsigned line, const std::string& what) {
    return fmt::format("line {}: {} is not accepted in a blank", first_line + line - 1, what);
  };
  for (const SourceLine& line : source.lines) {
    const std::string found = forbidden_in_line(line.text, host_code);
    if (!found.empty()) return refused(line.number, found);
  }
  return source.unclear.empty() ? "" : refused(source.unclear_line, source.unclear);
}

std::string forbidden_in_preprocessed(std::string_view text, const std::string& file) {
  std::vector<SourceLine> own;
  const std::string marked = fmt::format("\"{}\"", file);
  bool is_own = false;
  unsigned number = 1;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line); ++number) {
    if (line.starts_with("# ") || line.starts_with("#line ")) {
      const std::size_t digits = line.find_first_of("0123456789");
      is_own = line.find(marked) != std::string::npos;
      number = static_cast<unsigned>(std::atoi(line.c_str() + std::min(digits, line.size()))) - 1;
    } else if (is_own) {
      // Literals stay on their line here.
      for (const SourceLine& plain : source_lines(line).lines) own.push_back({number, plain.text});
    }
  }
  return forbidden_when_expanded(own);
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
  const std::string frame_text = read_text(exercise.frame);
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
  screened.unsolved = lesson::same_code(theirs.blank, "") ||
                      lesson::same_code(theirs.blank, lesson::parse_frame(stub_of(exercise)).blank);
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
