#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::tutor {

/// One line of a comparison of two texts.
struct DifferenceLine {
  enum class Side { both, left, right };
  Side side = Side::both;
  std::string text;
};

/// The shortest way from one text to another, line by line; white space at the end of a line does
/// not count. Texts with more than a few thousand changed lines are compared as a whole.
std::vector<DifferenceLine> line_differences(std::string_view left, std::string_view right);

/// Two texts next to each other, without the indentation that all their lines have, or, where that
/// does not fit, one below the other with - and +.
/// @param width in columns; a longer line is broken.
std::string differences_text(std::string_view left_title, std::string_view left,
                             std::string_view right_title, std::string_view right,
                             std::size_t width);

}  // namespace warpwise::tutor
