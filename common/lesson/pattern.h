#pragma once
#include <cstddef>
#include <string>
#include <vector>

/// \file
/// Which elements are wrong, as a rule of thumb that points at the cause.
/// \ingroup lesson
namespace warpwise::lesson {

/// A rule for the elements that are set: "all of them", "all from 992 on: the tail", "every 32nd,
/// from 0", "all but every 32nd, from 0", "all from 5 to 8"; empty when there is none.
std::string pattern_of(const std::vector<bool>& wrong);

/// The same for a matrix, in rows and columns: "in every row: ..." where all rows that are wrong
/// are wrong in the same columns, else as pattern_of(wrong).
/// @param row_length columns; the elements are row-major. @pre divides the number of elements.
std::string matrix_pattern_of(const std::vector<bool>& wrong, std::size_t row_length);

}  // namespace warpwise::lesson
