#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::tutor {

/// A part of a Markdown text that begins with a heading.
struct Section {
  std::string heading;  ///< without its marks: "Hint 2: race".
  std::string text;     ///< up to the next heading, without empty lines and folds around it.
  unsigned line = 0;    ///< of the heading.
};

/// The lines of a text without their ends.
/// @return parts of `text`.
std::vector<std::string_view> text_lines(std::string_view text);

/// The sections of a Markdown text, whatever their level. The text before the first heading belongs
/// to none; a # in a block of code is not a heading.
std::vector<Section> sections(std::string_view markdown);

/// @return the columns of the terminal on stdout; 80 where there is none.
std::size_t terminal_width();

/// How wide a text to read may be: as the terminal, from 60 to 100 columns.
std::size_t page_width();

/// Characters of a UTF-8 text, each counted as one column.
std::size_t columns_of(std::string_view text);

/// A text to at least so many columns: fmt would count the bytes of a name's letters differently.
std::string padded(std::string_view text, std::size_t columns);

/// The text before the first end of a line.
std::string first_line(std::string_view text);

/// A Markdown text for a terminal: paragraphs and items of lists are wrapped, code and tables stay
/// as they are. Each line ends with a newline.
/// @param indent goes before each line that is not empty, and counts.
std::string wrapped(std::string_view markdown, std::size_t width, std::string_view indent = "");

}  // namespace warpwise::tutor
