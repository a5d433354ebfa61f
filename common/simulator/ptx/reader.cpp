#include <charconv>

#include "simulator/ptx/parser.h"

namespace warpwise::ptx {

bool Reader::accept(std::string_view text) {
  if (!at(text)) return false;
  lexer_.next();
  return true;
}

/// Whether the text is the second token from here.
bool Reader::is_followed_by(std::string_view text) const {
  Lexer ahead = lexer_;
  ahead.next();
  return ahead.peek().text == text && ahead.peek().kind != Token::Kind::string;
}

void Reader::expect(std::string_view text) {
  if (!accept(text))
    fail("expected '" + std::string(text) + "', found '" + std::string(lexer_.peek().text) + "'");
}

std::string Reader::word() {
  if (lexer_.peek().kind != Token::Kind::word)
    fail("expected a name, found '" + std::string(lexer_.peek().text) + "'");
  return std::string(lexer_.next().text);
}

std::optional<std::int64_t> Reader::number(std::string_view word) {
  int base = 10;
  if (word.ends_with('U')) word.remove_suffix(1);
  if (word.starts_with("0x") || word.starts_with("0X")) {
    base = 16;
    word.remove_prefix(2);
  } else if (word.starts_with("0b") || word.starts_with("0B")) {
    base = 2;
    word.remove_prefix(2);
  } else if (word.size() > 1 && word[0] == '0') {
    base = 8;
    word.remove_prefix(1);
  }
  std::uint64_t value = 0;
  auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value, base);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

std::int64_t Reader::integer() {
  const bool is_negative = accept("-");
  unsigned line = lexer_.peek().line;
  std::string text = word();
  auto value = number(text);
  if (!value) fail("expected a number, found '" + text + "'", line);
  return is_negative ? negative(*value) : *value;
}

void Reader::skip_to(std::string_view text) {
  while (!at(text)) {
    if (at_end()) fail("the text ends before '" + std::string(text) + "'");
    lexer_.next();
  }
  lexer_.next();
}

std::string Reader::sentence(const std::string& what, unsigned line) const {
  std::string text(lexer_.line_text(line));
  if (text.size() > 120) text = text.substr(0, 117) + "...";
  return "PTX line " + std::to_string(line) + ": " + text + ": " + what + source_place();
}

void Reader::fail(const std::string& what, unsigned line) const {
  throw ParseError(sentence(what, line));
}

}  // namespace warpwise::ptx
