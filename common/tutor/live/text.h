#pragma once
#include <string>
#include <string_view>
#include <vector>

/// \file
/// Texts for a terminal of some width.
namespace warpwise::tutor::watch {

/// Nothing that a terminal obeys: tabs become blanks, other control characters and broken UTF-8
/// become question marks. Newlines stay.
std::string printable(std::string_view text);

/// Cuts a printable text that is not Markdown into lines of at most `columns`. A text that is too
/// long goes on in the next line at the next word, indented as the line is. Where the line below is
/// a caret, the line is not wrapped: both are cut so that the caret stays below its place.
std::vector<std::string> fitted(std::string_view text, std::size_t columns);

}  // namespace warpwise::tutor::watch
