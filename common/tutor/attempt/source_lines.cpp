#include "tutor/attempt/source_lines.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace warpwise::tutor {
namespace {

struct SourceCharacter {
  char value = 0;
  unsigned line = 1;
};

/// Where a joined line continues; `at` itself when no backslash joins there.
std::size_t after_joins(std::string_view text, std::size_t at, unsigned& line) {
  while (at < text.size() && text[at] == '\\') {
    const std::size_t end = text.find_first_not_of(" \t\r\f\v", at + 1);
    if (end == std::string_view::npos || text[end] != '\n') break;
    at = end + 1;
    ++line;
  }
  return at;
}

std::vector<SourceCharacter> joined_lines(std::string_view text) {
  std::vector<SourceCharacter> characters;
  unsigned line = 1;
  for (std::size_t at = after_joins(text, 0, line); at < text.size();
       at = after_joins(text, at, line)) {
    characters.push_back({text[at], line});
    if (text[at++] == '\n') ++line;
  }
  return characters;
}

// A dollar and everything beyond ASCII may be part of a name.
bool is_in_name(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) != 0 || c == '_' || c == '$' || byte >= 0x80;
}

bool is_decimal(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(joined_lines(text)) {}

  SourceLines whole() {
    while (at_ < text_.size()) token();
    end_line();
    return std::move(result_);
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead].value : '\0';
  }
  void take() {
    if (line_.text.empty()) line_.number = text_[at_].line;
    line_.text += text_[at_++].value;
  }
  void unclear(const char* what, std::size_t where) {
    if (!result_.unclear.empty()) return;
    result_.unclear = what;
    result_.unclear_line = text_[where].line;
  }
  void end_line() {
    if (!line_.text.empty()) result_.lines.push_back(line_);
    line_ = {};
  }

  void token() {
    const char c = peek();
    if (c == '\n') {
      ++at_;
      end_line();
    } else if (c == '/' && (peek(1) == '/' || peek(1) == '*')) {
      comment();
    } else if (c == '"' || c == '\'') {
      literal();
    } else if (is_decimal(c) || (c == '.' && is_decimal(peek(1)))) {
      number();
    } else if (is_in_name(c)) {
      name();
    } else {
      if (c == '\\') unclear("a backslash", at_);
      take();
    }
  }

  void comment() {
    const std::size_t begin = at_;
    const bool block = peek(1) == '*';
    at_ += 2;
    while (at_ < text_.size() && !(block ? peek() == '*' && peek(1) == '/' : peek() == '\n')) ++at_;
    if (block && at_ >= text_.size()) unclear("a comment without its end", begin);
    if (block) at_ = std::min(at_ + 2, text_.size());
    if (!line_.text.empty()) line_.text += ' ';
  }

  void literal() {
    const std::size_t begin = at_;
    const char quote = peek();
    take();
    while (at_ < text_.size() && peek() != quote && peek() != '\n') {
      const bool escape = peek() == '\\' && peek(1) != '\n';
      at_ = std::min(at_ + (escape ? 2 : 1), text_.size());
    }
    if (peek() != quote) return unclear("a quote without its end", begin);
    take();
  }

  void number() {
    for (char last = 0; at_ < text_.size(); last = text_[at_ - 1].value) {
      const bool exponent = std::string_view("eEpP").find(last) != std::string_view::npos;
      const bool sign = exponent && (peek() == '+' || peek() == '-');
      const bool separator = last != 0 && peek() == '\'' && is_in_name(peek(1));
      if (!is_in_name(peek()) && peek() != '.' && !sign && !separator) return;
      take();
    }
  }

  void name() {
    const std::size_t begin = at_, length = line_.text.size();
    while (at_ < text_.size() && is_in_name(peek())) take();
    constexpr std::array<std::string_view, 5> raw{"R", "LR", "uR", "UR", "u8R"};
    const std::string_view name = std::string_view(line_.text).substr(length);
    const bool is_raw = std::find(raw.begin(), raw.end(), name) != raw.end();
    if (is_raw && peek() == '"') unclear("a raw literal", begin);
  }

  std::vector<SourceCharacter> text_;
  std::size_t at_ = 0;
  SourceLine line_;
  SourceLines result_;
};

}  // namespace

SourceLines source_lines(std::string_view text) {
  SourceLines result = Lexer(text).whole();
  for (const char* trigraph : {"\?\?=", "\?\?/"}) {
    const std::size_t at = text.find(trigraph);
    if (at == std::string_view::npos || !result.unclear.empty()) continue;
    result.unclear = trigraph;
    result.unclear_line =
        1 + static_cast<unsigned>(std::count(text.begin(), text.begin() + at, '\n'));
  }
  return result;
}

}  // namespace warpwise::tutor
