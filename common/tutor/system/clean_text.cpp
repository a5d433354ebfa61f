#include "tutor/system/clean_text.h"

#include <cstddef>

namespace warpwise::tutor {
namespace {

/// A character at the front of a text.
struct DecodedCharacter {
  char32_t code = 0;
  std::size_t bytes = 0;  ///< 0: the text does not begin with UTF-8.
};

// How many bytes a character has by its first one; 0 for one that cannot be first.
std::size_t length_by(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return 2;
  if (first >= 0xe0 && first < 0xf0) return 3;
  return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

DecodedCharacter first_of(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const std::size_t bytes = length_by(first);
  if (bytes == 0 || bytes > text.size()) return {};
  char32_t code = bytes == 1 ? first : first & (0x7fU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xc0U) != 0x80) return {};
    code = code << 6 | (next & 0x3fU);
  }
  constexpr char32_t lowest[]{0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  return code < lowest[bytes] || code > 0x10ffff || surrogate ? DecodedCharacter{}
                                                              : DecodedCharacter{code, bytes};
}

bool is_control(char32_t code) {
  const bool turns_writing = code == 0x061c || code == 0x200e || code == 0x200f ||
                             (code >= 0x202a && code <= 0x202e) ||
                             (code >= 0x2066 && code <= 0x2069);
  const bool separates = code == 0x2028 || code == 0x2029;
  const bool no_character = (code & 0xfffeU) == 0xfffe || (code >= 0xfdd0 && code <= 0xfdef);
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || turns_writing || separates || no_character;
}

}  // namespace

std::string clean_text(std::string_view text, bool lines) {
  std::string clean;
  while (!text.empty()) {
    const DecodedCharacter first = first_of(text);
    const bool stays = !is_control(first.code) || (lines && first.code == '\n');
    if (first.bytes == 0) {
      clean += "\ufffd";
    } else if (stays) {
      clean += text.substr(0, first.bytes);
    } else {
      clean += '?';
    }
    text.remove_prefix(first.bytes == 0 ? 1 : first.bytes);
  }
  return clean;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t bytes = first_of(text).bytes;
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

}  // namespace warpwise::tutor
