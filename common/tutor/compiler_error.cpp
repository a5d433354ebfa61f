#include "tutor/compiler_error.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <sstream>
#include <vector>

#include "occupancy/text.h"
#include "tutor/failure.h"
#include "tutor/files.h"
#include "tutor/pattern.h"

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
  static const Pattern host(R"(^(.+):([0-9]+):([0-9]+): (fatal )?error: (.*)$)");
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
    return Head{part[1], number(part[2]), number(part[3]), part[5]};
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

std::string source_line(const std::string& file, unsigned line) {
  try {
    const Lines lines = lines_of(read_text(file));
    return line > 0 && line <= lines.size() ? lines[line - 1] : "";
  } catch (const Failure&) {
    return "";
  }
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

/// Where a template of another file was asked for: in the notes behind an error.
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

/// The front end reads __global__ and its like as attributes; people wrote them otherwise.
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

std::string advice(const CompilerError& error) {
  static const Pattern shared(
      R"(uses too much shared data \(0x([0-9a-f]+) bytes, 0x([0-9a-f]+) max\))");
  if (const auto found = shared.in(error.message)) {
    return fmt::format("The __shared__ arrays of a block have {} bytes; {} are allowed.",
                       std::stoul(found->groups[1], nullptr, 16),
                       std::stoul(found->groups[2], nullptr, 16));
  }
  constexpr std::pair<const char*, const char*> known[] = {
      {"expected a \";\"", "Look at the end of the line before, too."},
      {"expected ';'", "Look at the end of the line before, too."},
      {"expected a \"}\"", "Every { needs its }."},
      {"expected a declaration", "There may be one } too many above."},
      {"is undefined", "Is it declared, and is it spelt the same there?"},
      {"was not declared", "Is it declared, and is it spelt the same there?"},
      {"modifiable lvalue", "It is const: it may be read, not written."},
      {"calling a __host__ function", "Device code can call __device__ functions only."},
      {"no instance of overloaded function", "Compare number and types of the arguments."},
      {"Unresolved extern function", "It is declared, but has no body."},
      {"undefined reference", "It is declared, but has no body."},
      {"No such file", "Nothing needs to be included for this exercise."},
      {"Not a name of any known instruction", "Look at the asm statement."}};
  for (const auto& [part, words] : known) {
    if (error.message.find(part) != std::string::npos) return words;
  }
  return "";
}

/// Code without comments, strings and characters; lines stay lines.
std::string only_code(const std::string& text) {
  std::string code;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = std::string_view(text).substr(i);
    if (rest.starts_with("//")) {
      i = std::min(text.find('\n', i), text.size()) - 1;
    } else if (rest.starts_with("/*")) {
      const std::size_t end = std::min(text.find("*/", i + 2), text.size());
      code += std::string(static_cast<std::size_t>(
                              std::count(text.begin() + static_cast<std::ptrdiff_t>(i),
                                         text.begin() + static_cast<std::ptrdiff_t>(end), '\n')),
                          '\n');
      i = end + 1;
    } else if (text[i] == '"' || text[i] == '\'') {
      const char quote = text[i];
      // A digit separator is no quote.
      if (quote == '\'' && i > 0 && std::isxdigit(static_cast<unsigned char>(text[i - 1])) != 0) {
        continue;
      }
      for (++i; i < text.size() && text[i] != quote && text[i] != '\n'; ++i) {
        if (text[i] == '\\') ++i;
      }
      if (i < text.size() && text[i] == '\n') code += '\n';
    } else {
      code += text[i];
    }
  }
  return code;
}

}  // namespace

CompilerError first_compiler_error(const std::string& output, const fs::path& root) {
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
    if (chosen && (chosen_below || !below)) continue;
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
  error.message = with_plain_names(error.message) + details(body);
  error.next = advice(error);
  if (error.file.empty() || error.column != 0) return error;
  take_picture(body, source_line(error.file, error.line), error);
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
  const Lines lines = lines_of(only_code(source)), all = lines_of(source);
  std::size_t begin = all.size(), end = all.size();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].find("BEGIN SOLUTION") != std::string::npos) begin = i;
    if (all[i].find("END SOLUTION") != std::string::npos) end = i;
  }
  std::vector<std::size_t> open;
  for (std::size_t i = begin; i < std::min(end, lines.size()); ++i) {
    for (const char c : lines[i]) {
      if (c == '{') open.push_back(i + 1);
      if (c != '}') continue;
      if (open.empty()) return fmt::format("the }} of line {} closes nothing of yours", i + 1);
      open.pop_back();
    }
  }
  return open.empty() ? "" : fmt::format("the {{ of line {} is never closed", open.back());
}

}  // namespace warpwise::tutor
