#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// \file
/// Which elements are wrong, as a rule of thumb that points at the cause.
/// \ingroup lesson
namespace warpwise::lesson {

/// For each element whether it is set. Bytes: each bit of a std::vector<bool> costs several calls
/// in a build that is to be made fast, and a wrong answer may have a million.
using Marks = std::vector<std::uint8_t>;

/// A rule for which elements are set, for people, and the question that it raises.
struct Pattern {
  std::string says;  ///< "all from 992 on, the tail"; empty without a rule.
  std::string asks;  ///< a question about the difference at the end; may be empty.
};

/// A rule for the elements that are set: "all of them", "all from 992 on, the tail", "every 32nd,
/// from 0", "all but every 32nd, from 0", "5 to 8", "the last 4 of every 32", "3, 17 and 80".
Pattern pattern_of(const Marks& wrong);

/// The same for a matrix: "row 3, in full", "all columns from 96 on, the tail, in every row", "all
/// above the diagonal", ...
/// @param row_length columns; the elements are row-major. @pre divides the number of elements.
Pattern matrix_pattern_of(const Marks& wrong, std::size_t row_length);

}  // namespace warpwise::lesson
