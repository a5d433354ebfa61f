#pragma once
#include <string>
#include <string_view>

namespace warpwise::ptx {

/// One word, string or punctuation character of PTX.
struct Token {
  enum class Kind { word, string, punctuation, end };
  Kind kind = Kind::end;
  std::string_view text;  ///< a string without its quotes
  unsigned line = 1;
};

/// Splits PTX into tokens. A word keeps its dots and double colons
/// ("ld.global.L1::no_allocate.f32",
/// "%tid.x", "0f3F800000"), so that opcodes are one token each; a directive ends before the next
/// dot
/// (".reg.b16" in the CUDA headers is two).
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) { advance(); }
  const Token& peek() const { return token_; }
  Token next() {
    Token token = token_;
    advance();
    return token;
  }
  std::size_t text_size() const { return text_.size(); }
  /// The text of a whole line, for messages.
  std::string_view line_text(unsigned line) const;

 private:
  void advance();
  void skip_blank();

  std::string_view text_;
  std::size_t at_ = 0;
  unsigned line_ = 1;
  Token token_;
};

}  // namespace warpwise::ptx
