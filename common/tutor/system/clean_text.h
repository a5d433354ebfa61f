#pragma once
#include <string>
#include <string_view>

namespace warpwise::tutor {

/// Makes a stranger's text fit for a terminal, for XML and for JSON: '?' replaces control
/// characters, those that turn the direction of writing, and what is not a character; broken UTF-8
/// becomes U+FFFD.
/// @param lines whether line feeds stay; else they are also replaced, and tabs always are.
std::string clean_text(std::string_view text, bool lines);

/// Whether a text is UTF-8 throughout.
bool is_utf8(std::string_view text);

}  // namespace warpwise::tutor
