#pragma once
#include <cstddef>
#include <string>

/// \file
/// A place in a source file, with its line.
/// \ingroup lesson
namespace warpwise::lesson {

/// "  FILE:LINE", the line below it and a caret below the column, each with its newline; without
/// the source line where it cannot be read, and empty without a file.
/// @param column from 1; 0: no caret. @param width that lines should not exceed.
std::string excerpt(const std::string& file, unsigned line, unsigned column, std::size_t width);

/// The text of a source line; nothing where it cannot be read.
std::string raw_source_line(const std::string& file, unsigned line);

}  // namespace warpwise::lesson
