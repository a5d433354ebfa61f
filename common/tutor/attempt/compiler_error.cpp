#include "tutor/attempt/compiler_error.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <sstream>
#include <vector>

#include "occupancy/text.h"
#include "tutor/attempt/compiler_advice.h"
#include "tutor/author/code_text.h"
#include "tutor/course/pattern.h"
#include "tutor/system/failure.h"
#include "tutor/system/files.h"

namespace warpwise::tutor {

namespace fs = std::filesystem;

namespace {

using Lines = std::vector<std::string>;

Lines lines_of(const std::string& text) {
  Lines lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// The head of a message: where and what.
struct Head {
  std::string file;
  unsigned line = 0;
  std::size_t column = 0;
  std::string message;
};

unsigned number(const std::string& digits) {
  return static_cast<unsigned>(std::strtoul(digits.c_str(), nullptr, 10));
}

/// The CUDA front end, the host compiler, the assembler, the linker, nvcc itself.
std::optional<Head> error_head(const std::string& line) {
  static const Pattern front(
      R"(^(.+)\(([0-9]+)\): (catastrophic )?error( #[[:alnum:]_-]+)?: (.*)$)");
  static const Pattern host(R"(^(.+[^:0-9]):([0-9]+):(([0-9]+):)? (fatal )?error: (.*)$)");
  static const Pattern at_end(
      R"(^At end of source: (catastrophic )?error( #[[:alnum:]_-]+)?: (.*)$)");
  static const Pattern assembler(R"((error|fatal)[[:space:]]*: )");
  static const Pattern linker(R"(^(.*ld: )?(.+):([0-9]+): (undefined reference to .*)$)");
  static const Pattern linker_only(R"(undefined reference to .*$)");
  static const Pattern driver(R"(^nvcc (fatal|error)[[:space:]]*: (.*)$)");
  if (const auto found = front.in(line)) {
    const auto& part = found->groups;
    return Head{part[1], number(part[2]), 0, part[5]};
  }
  if (const auto found = host.in(line)) {
    const auto& part = found->groups;
    return Head{part[1], number(part[2]), number(part[4]), part[6]};
  }
  if (const auto found = at_end.in(line)) return Head{"", 0, 0, found->groups[3]};
  if (line.starts_with("ptxas ")) {
    if (const auto found = assembler.in(line)) return Head{"", 0, 0, found->after};
  }
  if (const auto found = linker.in(line)) {
    const auto& part = found->groups;
    return Head{part[2], number(part[3]), 0, part[4]};
  }
  if (const auto found = linker_only.in(line)) return Head{"", 0, 0, found->groups[0]};
  if (const auto found = driver.in(line)) return Head{"", 0, 0, found->groups[2]};
  return std::nullopt;
}

std::string stripped(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

bool is_caret(const std::string& line) { return stripped(line) == "^"; }

bool is_below(const std::string& file, const fs::path& root) {
  const std::string path = fs::path(file).lexically_normal().string();
  return path.rfind(root.string() + "/", 0) == 0;
}

/// Empty where it cannot be read.
std::string readable(const fs::path& file) {
  try {
    return file.empty() ? "" : read_text(file);
  } catch (const Failure&) {
    return "";
  }
}

std::string source_line(const std::string& file, unsigned line) {
  const Lines lines = lines_of(readable(file));
  return line > 0 && line <= lines.size() ? lines[line - 1] : "";
}

/// A brace of the blank without its partner.
struct LoneBrace {
  std::size_t line = 0;  ///< 0: there is none.
  bool opens = false;
};

LoneBrace lone_brace(const std::string& source) {
  const Lines lines = lines_of(only_code(source)), all = lines_of(source);
  std::size_t begin = all.size(), end = all.size();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].find("BEGIN YOUR CODE") != std::string::npos) begin = i;
    if (all[i].find("END YOUR CODE") != std::string::npos) end = i;
  }
  std::vector<std::size_t> open;
  for (std::size_t i = begin; i < std::min(end, lines.size()); ++i) {
    for (const char c : lines[i]) {
      if (c == '{') open.push_back(i + 1);
      if (c != '}') continue;
      if (open.empty()) return {i + 1, false};
      open.pop_back();
    }
  }
  return open.empty() ? LoneBrace{} : LoneBrace{open.back(), true};
}

unsigned unbalanced_line(const std::string& source) {
  return static_cast<unsigned>(lone_brace(source).line);
}

/// The lines of output that belong to the message in line `at`: until the next head or blank line.
Lines body_of(const Lines& lines, std::size_t at) {
  Lines body;
  for (std::size_t i = at + 1; i < lines.size(); ++i) {
    const bool note = lines[i].find("): note") != std::string::npos ||
                      lines[i].find(": note: ") != std::string::npos;
    if (lines[i].empty() || note || error_head(lines[i])) break;
    body.push_back(lines[i]);
  }
  return body;
}

/// Where a template of another file was asked for: in the notes after an error.
void move_to_caller(const Lines& lines, std::size_t at, const fs::path& root, Head& head) {
  static const Pattern device(R"(at line ([0-9]+) of (.*[^[:space:]])[[:space:]]*$)");
  static const Pattern host(R"(^(.+):([0-9]+):([0-9]+):[[:space:]]+required from)");
  if (head.file.empty() || is_below(head.file, root)) return;
  for (std::size_t i = at + 1; i < lines.size() && !error_head(lines[i]); ++i) {
    if (const auto found = device.in(lines[i]); found && is_below(found->groups[2], root)) {
      head = {found->groups[2], number(found->groups[1]), 0, head.message};
      return;
    }
    if (const auto found = host.in(lines[i]); found && is_below(found->groups[1], root)) {
      head = {found->groups[1], number(found->groups[2]), number(found->groups[3]), head.message};
      return;
    }
  }
}

/// The front end reads __global__ and its like as attributes; people wrote them differently.
std::string with_keywords(const std::string& text) {
  static const Pattern attribute(R"(__attribute__\(\(([[:alnum:]_]+)\)\))");
  std::string done, rest = text;
  while (const auto found = attribute.in(rest)) {
    done += found->before + "__" + found->groups[1] + "__";
    rest = found->after;
  }
  return done + rest;
}

/// Mangled names as people write them.
std::string with_plain_names(const std::string& text) {
  static const Pattern mangled(R"(_Z[[:alnum:]_]+)");
  const auto found = mangled.in(text);
  if (!found) return text;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(found->groups[0].c_str(), nullptr, nullptr, &status), &std::free);
  return found->before + (status == 0 ? name.get() : found->groups[0]) + found->after;
}

/// The front end prints the line it read, and a caret below: a column of the file where that line
/// is the file's, else the text that macros made.
void take_picture(const Lines& body, const std::string& source, CompilerError& error) {
  for (std::size_t i = 0; i + 1 < body.size(); ++i) {
    if (!is_caret(body[i + 1])) continue;
    const std::string read = with_keywords(body[i]);
    if (stripped(read) != stripped(source)) {
      error.expansion = stripped(read);
      return;
    }
    const std::size_t offset = with_keywords(body[i].substr(0, body[i + 1].find('^'))).size();
    const std::size_t shift = read.find_first_not_of(" \t");
    const std::size_t own = source.find_first_not_of(" \t");
    if (offset >= shift) error.column = offset - shift + own + 1;
    return;
  }
}

/// Further lines of the message itself: "argument types are: (int, int)".
std::string details(const Lines& body) {
  std::string text;
  for (const std::string& line : body) {
    if (line.rfind("            ", 0) != 0) break;
    text += "\n" + stripped(line);
    if (std::count(text.begin(), text.end(), '\n') == 2) break;
  }
  return text;
}

/// For an error without a place of its own, or with one in a header: the first line of the
/// learner's text that it can be about.
unsigned line_behind(const std::string& message, const std::string& source) {
  static const Pattern unresolved(R"(Unresolved extern function '?([[:alnum:]_]+))");
  static const Pattern assembly(R"(Unknown modifier|known instruction|nstruction types|assembly)");
  const auto missing = unresolved.in(message);
  const std::vector<std::string> words = {
      missing ? missing->groups[1] : name_in(message),
      message.find("shared data") != std::string::npos ? "__shared__" : "",
      assembly.in(message) ? "asm" : "",
      message.find("__host__ function") != std::string::npos ? "std" : ""};
  const Lines lines = lines_of(only_code(source));
  for (const std::string& word : words) {
    for (std::size_t i = 0; i < lines.size() && !word.empty(); ++i) {
      const bool is_head = lines[i].starts_with("#") || lines[i].find("__global__") == 0;
      if (!is_head && find_word(lines[i], word) != std::string::npos) {
        return static_cast<unsigned>(i + 1);
      }
    }
  }
  return 0;
}

/// Gives an error without a place in the learner's text one, and one without a column the column of
/// the name that it is about.
void take_place(CompilerError& error, const fs::path& root, const fs::path& source) {
  if (!is_below(error.file, root) && error.file != source && !source.empty()) {
    const std::string text = readable(source);
    const bool is_brace = may_be_a_brace(error) && error.file.empty();
    const unsigned line = is_brace ? unbalanced_line(text) : line_behind(error.message, text);
    if (line != 0) {
      error.file = source.string();
      error.line = line;
      error.column = 0;
      error.expansion.clear();
    }
  }
  if (error.column != 0 || error.line == 0) return;
  const std::string line = source_line(error.file, error.line);
  const std::string name = name_in(error.message);
  const std::size_t at = find_word(line, name);
  if (at != std::string::npos) error.column = at + 1;
}

/// Whether a missing bracket in the same line is why the front end misunderstood it before.
bool explains(const Head& later, const Head& first) {
  return later.file == first.file && later.line == first.line &&
         first.message.find("lvalue") != std::string::npos &&
         later.message.find("expected a \"]\"") != std::string::npos;
}

/// The quotes of the host compiler are those of the locale.
std::string with_plain_quotes(std::string text) {
  for (const char* const quote : {"\xe2\x80\x98", "\xe2\x80\x99"}) {
    for (auto at = text.find(quote); at != std::string::npos; at = text.find(quote, at)) {
      text.replace(at, 3, "'");
    }
  }
  return text;
}

/// The host compiler guesses at all names of the headers: n might mean yn, a Bessel function. From
/// two letters nothing can be guessed but a name of the learner's text.
std::string without_wild_guess(const std::string& message, const std::string& source) {
  static const Pattern guess(R"(; did you mean '([^']+)'\?$)");
  const auto found = guess.in(message);
  const bool is_wild = found && name_in(message).size() <= 2 &&
                       find_word(only_code(source), found->groups[1]) == std::string::npos;
  return is_wild ? found->before : message;
}

/// Drops the advice to use an experimental flag, which learners cannot pass.
std::string without_flags(const std::string& message) {
  return message.substr(0, message.find(". The experimental flag"));
}

}  // namespace

CompilerError first_compiler_error(const std::string& output, const fs::path& root,
                                   const fs::path& source) {
  const Lines lines = lines_of(output);
  std::optional<Head> chosen;
  std::size_t at = 0;
  int errors = 0;
  bool chosen_below = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::optional<Head> head = error_head(lines[i]);
    if (!head) continue;
    ++errors;
    move_to_caller(lines, i, root, *head);
    const bool below = is_below(head->file, root);
    if (chosen && (chosen_below || !below) && !explains(*head, *chosen)) continue;
    chosen = head;
    chosen_below = below;
    at = i;
  }
  if (!chosen) return {.message = output.substr(0, 600)};
  CompilerError error{.message = chosen->message,
                      .file = chosen->file,
                      .line = chosen->line,
                      .column = chosen->column,
                      .expansion = {},
                      .more = errors - 1,
                      .next = {}};
  const Lines body = body_of(lines, at);
  error.message = with_plain_quotes(without_flags(with_plain_names(error.message)));
  error.message = without_wild_guess(error.message, readable(error.file)) + details(body);
  if (!error.file.empty() && error.column == 0) {
    take_picture(body, source_line(error.file, error.line), error);
  }
  take_place(error, root, source);
  error.next = compiler_advice(error.message, readable(error.file), error.line);
  return error;
}

std::string to_text(const CompilerError& error, std::size_t width) {
  std::string text;
  const auto add = [&](const char* head, const std::string& words) {
    for (const std::string& line : occupancy::wrap(head, words, width)) text += line + "\n";
  };
  const Lines message = lines_of(error.message);
  for (std::size_t i = 0; i < message.size(); ++i) add(i == 0 ? "  error: " : "    ", message[i]);
  const std::string source = source_line(error.file, error.line);
  if (!error.file.empty()) text += fmt::format("  {}:{}\n", shown(error.file), error.line);
  if (const std::string line = stripped(source); !line.empty()) {
    const std::size_t room = width - 4;
    text += fmt::format("    {}\n", line.size() <= room ? line : line.substr(0, room - 2) + "..");
    const std::size_t indent = source.find_first_not_of(" \t");
    if (error.column > indent && error.column - indent <= room) {
      text += fmt::format("    {:{}}^\n", "", error.column - 1 - indent);
    }
  }
  if (!error.expansion.empty()) add("  with its macros: ", error.expansion);
  if (error.more > 0) {
    text += fmt::format("  {} more error{}; the first often causes the others.\n", error.more,
                        error.more == 1 ? "" : "s");
  }
  return text;
}

bool may_be_a_brace(const CompilerError& error) {
  return error.message.find('}') != std::string::npos ||
         error.message.find('{') != std::string::npos ||
         error.message.find("expected a declaration") != std::string::npos;
}

std::string unbalanced_brace(const std::string& source) {
  const LoneBrace lone = lone_brace(source);
  if (lone.line == 0) return "";
  return lone.opens ? fmt::format("the {{ of line {} is never closed", lone.line)
                    : fmt::format("the }} of line {} closes nothing of yours", lone.line);
}

}  // namespace warpwise::tutor
