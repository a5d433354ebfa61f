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

/// @return how many columns a printable line takes: one for each character.
std::size_t width_of(std::string_view line);

/// Cuts a printable text into lines of at most `columns`. What is too long goes on in the next line
/// at the next word, indented as the line is. Where the line below is a caret, the line is not
/// wrapped: both are cut so that the caret stays below its place.
std::vector<std::string> wrapped(std::string_view text, std::size_t columns);

/// Joins the lines of each paragraph of a Markdown text, so that it can be wrapped to any width;
/// code, tables, headings and lists keep their lines.
std::string joined_paragraphs(std::string_view markdown);

}  // namespace warpwise::tutor::watch
