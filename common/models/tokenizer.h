#pragma once
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

/// \file
/// llm.c's tokenizer file, and the encoding that llm.c leaves to Python.
/// \ingroup models
namespace warpwise::models {

/// Cuts text where merges end, as GPT-2 does: an optional blank and letters, or digits, or other
/// characters; runs of blanks; the endings 's 't 're 've 'm 'll 'd. Bytes from 128 on count as
/// letters, so that signs and blanks outside ASCII are cut differently than by GPT-2.
std::vector<std::string_view> words_of(std::string_view text);

/// Tokens as bytes.
class Tokenizer {
 public:
  /// @param tokens by id. @param end_of_text its id.
  Tokenizer(std::vector<std::string> tokens, int end_of_text);

  int end_of_text() const { return end_of_text_; }
  int size() const { return static_cast<int>(tokens_.size()); }
  /// The bytes of a token. @pre 0 <= id < size()
  const std::string& text(int id) const { return tokens_[id]; }
  /// Ids of a text. In each word the two neighbours whose union has the lowest id become one, as
  /// long as there are such: ids of merged tokens are the ranks of the merges, so that the file
  /// needs no list of merges.
  /// @throws std::runtime_error where a byte has no token.
  std::vector<int> encode(std::string_view text) const;

 private:
  std::vector<std::string> tokens_;
  std::unordered_map<std::string, int> ids_;
  int end_of_text_;
};

/// Reads version 1 (without an end of text, then GPT-2's) or 2.
/// @throws std::runtime_error with one line that names the file and what is wrong with it.
Tokenizer read_tokenizer(const std::string& file);

}  // namespace warpwise::models
