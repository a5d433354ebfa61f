#include "simulator/ptx/lexer.h"

#include <cctype>

namespace warpwise::ptx {
namespace {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%' ||
         c == '.';
}

/// Whether a sign continues a number: 1.5e-3, but not %r1+3 or 0d3FE+1.
bool has_open_exponent(std::string_view text) {
  return std::isdigit(static_cast<unsigned char>(text[0])) &&
         (text.ends_with('e') || text.ends_with('E')) &&
         text.find_first_not_of("0123456789.") == text.size() - 1;
}

}  // namespace

void Lexer::skip_blank() {
  while (at_ < text_.size()) {
    if (text_[at_] == '\n') ++line_;
    if (std::isspace(static_cast<unsigned char>(text_[at_]))) {
      ++at_;
    } else if (text_.substr(at_, 2) == "//" || text_.substr(at_, 5) == "#line") {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (text_.substr(at_, 2) == "/*") {
      std::size_t end = text_.find("*/", at_ + 2);
      end = end == std::string_view::npos ? text_.size() : end + 2;
      for (; at_ < end; ++at_) line_ += text_[at_] == '\n';
    } else {
      return;
    }
  }
}

void Lexer::advance() {
  skip_blank();
  token_ = {Token::Kind::end, {}, line_};
  if (at_ >= text_.size()) return;
  std::size_t start = at_;
  if (is_word(text_[at_])) {
    const bool is_directive = text_[at_] == '.';
    while (at_ < text_.size()) {
      if (is_directive && at_ > start && text_[at_] == '.') break;
      if (is_word(text_[at_]))
        ++at_;
      else if (text_.substr(at_, 2) == "::")
        at_ += 2;
      else if ((text_[at_] == '-' || text_[at_] == '+') &&
               has_open_exponent(text_.substr(start, at_ - start)))
        ++at_;
      else
        break;
    }
    token_ = {Token::Kind::word, text_.substr(start, at_ - start), line_};
  } else if (text_[at_] == '"') {
    std::size_t end = std::min(text_.find('"', at_ + 1), text_.size());
    at_ = std::min(end + 1, text_.size());
    token_ = {Token::Kind::string, text_.substr(start + 1, end - start - 1), line_};
  } else {
    token_ = {Token::Kind::punctuation, text_.substr(at_++, 1), line_};
  }
}

std::string_view Lexer::line_text(unsigned line) const {
  std::size_t start = 0;
  for (unsigned at = 1; at < line; ++at) {
    std::size_t end = text_.find('\n', start);
    if (end == std::string_view::npos) return {};
    start = end + 1;
  }
  std::string_view text = text_.substr(start, text_.find('\n', start) - start);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())))
    text.remove_prefix(1);
  return text;
}

}  // namespace warpwise::ptx
