#include "models/tokenizer.h"

#include <cctype>
#include <stdexcept>

#include "models/model_file.h"

namespace warpwise::models {
namespace {

constexpr int gpt2_end_of_text = 50256;

enum class Class { letter, digit, blank, other };

Class class_of(char c) {
  const auto byte = static_cast<unsigned char>(c);
  if (byte >= 128 || std::isalpha(byte)) return Class::letter;
  if (std::isdigit(byte)) return Class::digit;
  return std::isspace(byte) ? Class::blank : Class::other;
}

/// Letters of an ending such as 've at the start of the text, with the apostrophe; 0: none.
std::size_t ending(std::string_view text) {
  for (const std::string_view form : {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"}) {
    if (text.starts_with(form)) return form.size();
  }
  return 0;
}

/// How long the run of one class is that begins at `at`.
std::size_t run_end(std::string_view text, std::size_t at) {
  const Class first = class_of(text[at]);
  while (at < text.size() && class_of(text[at]) == first) ++at;
  return at;
}

std::size_t first_word(std::string_view text) {
  if (const std::size_t length = ending(text); length > 0) return length;
  if (class_of(text[0]) != Class::blank) return run_end(text, 0);
  const std::size_t end = run_end(text, 0);
  if (end == text.size()) return end;
  // The last blank belongs to the word after it if it is a space; else it is one of its own.
  if (end > 1) return end - 1;
  return text[0] == ' ' ? run_end(text, 1) : 1;
}

}  // namespace

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t length = first_word(text);
    words.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return words;
}

Tokenizer::Tokenizer(std::vector<std::string> tokens, int end_of_text)
    : tokens_(std::move(tokens)), end_of_text_(end_of_text) {
  // The first of equal tokens counts. The end of text is not text: it cannot be typed.
  for (int id = 0; id < size(); ++id) {
    if (id != end_of_text_) ids_.emplace(tokens_[id], id);
  }
}

std::vector<int> Tokenizer::encode(std::string_view text) const {
  std::vector<int> all;
  for (const std::string_view word : words_of(text)) {
    std::vector<int> ids;
    for (const char byte : word) {
      const auto found = ids_.find(std::string(1, byte));
      if (found == ids_.end()) {
        throw std::runtime_error("the tokenizer has no token for the byte " +
                                 std::to_string(static_cast<unsigned char>(byte)));
      }
      ids.push_back(found->second);
    }
    while (ids.size() > 1) {
      std::size_t best = ids.size();
      int lowest = size();
      for (std::size_t i = 0; i + 1 < ids.size(); ++i) {
        const auto found = ids_.find(tokens_[ids[i]] + tokens_[ids[i + 1]]);
        if (found != ids_.end() && found->second < lowest) lowest = found->second, best = i;
      }
      if (best == ids.size()) break;
      ids[best] = lowest;
      ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(best) + 1);
    }
    all.insert(all.end(), ids.begin(), ids.end());
  }
  return all;
}

Tokenizer read_tokenizer(const std::string& file) {
  const ModelFile in(file, Magic::tokenizer);
  const int version = in.header(1), count = in.header(2);
  if (version != 1 && version != 2) {
    in.refuse("version " + std::to_string(version) + "; expected 1 or 2.");
  }
  if (count < 1 || static_cast<std::size_t>(count) > in.body().size()) {
    in.refuse("header: " + std::to_string(count) + " tokens in " +
              std::to_string(in.body().size()) + " bytes.");
  }
  const int end_of_text = version == 1 ? gpt2_end_of_text : in.header(3);
  std::vector<std::string> tokens;
  std::string_view rest = in.body();
  while (tokens.size() < static_cast<std::size_t>(count)) {
    const std::size_t length = rest.empty() ? 0 : static_cast<unsigned char>(rest[0]);
    if (rest.size() < length + 1) {
      in.refuse("truncated: " + std::to_string(tokens.size()) + " of " + std::to_string(count) +
                " tokens. Is the download complete?");
    }
    if (length == 0) in.refuse("token " + std::to_string(tokens.size()) + " is empty.");
    tokens.emplace_back(rest.substr(1, length));
    rest.remove_prefix(length + 1);
  }
  if (!rest.empty()) {
    in.refuse("trailing bytes: " + std::to_string(rest.size()) + " after the last token.");
  }
  return {std::move(tokens), end_of_text};
}

}  // namespace warpwise::models
