#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::tutor {

/// One line of a source as the preprocessor sees it.
struct SourceLine {
  unsigned number = 1;  ///< of the line where it begins, from 1.
  std::string text;     ///< without comments; a literal is its two quotes alone.
};

/// A source after the preprocessor's first phases.
struct SourceLines {
  std::vector<SourceLine> lines;
  /// A construct that compilers may read in different ways, and that no answer needs: "a raw
  /// literal". Empty: none.
  std::string unclear;
  unsigned unclear_line = 0;  ///< from 1.
};

/// Splits a source into lines: joins what a backslash joins, blanks after it or not; takes out
/// comments and the text of literals. Names, numbers and literals begin and end as in GCC.
SourceLines source_lines(std::string_view text);

}  // namespace warpwise::tutor
