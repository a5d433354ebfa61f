#pragma once
#include <cstddef>
#include <filesystem>
#include <string>

namespace warpwise::tutor {

/// The error of a compiler that a learner should look at first.
struct CompilerError {
  std::string message = {};  ///< the compiler's words, without its location; one or more lines.
  std::string file = {};     ///< empty: it has no place.
  unsigned line = 0;
  std::size_t column = 0;      ///< from 1; 0: not known.
  std::string expansion = {};  ///< what the compiler read where a macro is; or empty.
  int more = 0;                ///< further errors.
  std::string next = {};       ///< what to do; may be empty.
};

/// Picks the error out of what nvcc printed: the first that has a place below `root`, which may be
/// the line that instantiates a template whose text is elsewhere; else the first of all.
/// @param source the text that was compiled: an error of a header, of the assembler or of the
/// linker is shown at the line of it that names what the error is about.
CompilerError first_compiler_error(const std::string& output, const std::filesystem::path& root,
                                   const std::filesystem::path& source = {});

/// For people: the message, the place with its line and a caret, the number of further errors.
/// @param width that lines should not exceed. @return lines, indented by two, each with its
/// newline.
std::string to_text(const CompilerError& error, std::size_t width);

/// Whether a missing brace, or one too many, may be its cause.
bool may_be_a_brace(const CompilerError& error);

/// Says what is wrong with the braces in a file's blank: "the { of line 12 is never closed".
/// Comments, strings and characters do not count.
/// @return empty where they are in order, or where the file has no blank.
std::string unbalanced_brace(const std::string& source);

}  // namespace warpwise::tutor
