#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/function.h"
#include "lesson/compare/pattern.h"

/// \file
/// How wrong values relate to the right ones: what a teacher would see in them.
/// \ingroup lesson
namespace warpwise::lesson {

/// How far an output may be from the reference: absolute + relative * |reference|.
struct Tolerance {
  double absolute = 0;
  double relative = 0;
};

/// Whether a value is right: `!(|got - expected| <= tolerance)` is wrong, so that a NaN fails. A
/// NaN accepts every NaN, an infinity itself; a finite reference that float cannot hold accepts the
/// infinity of its sign.
bool is_right(double expected, double got, Tolerance tolerance);

/// The values that were compared.
struct Outcome {
  std::span<const double> expected;
  std::span<const double> got;  ///< as many.
  const Marks& judged;          ///< the elements to explain: wrong, and written.
  Tolerance tolerance;
  std::size_t row_length = 0;  ///< columns of a matrix; 0: not a matrix.
  bool ordered = true;         ///< neighbours are adjacent in memory; else they are single answers.
};

/// A likely slip of which is known what it computes: the factor transposed, the sum for the mean.
struct Slip {
  std::string says;                            ///< "This is A B, not A B^T."
  std::string asks;                            ///< which way to look.
  std::function<double(std::size_t)> value{};  ///< of an element.
};

/// The slip that explains every judged element of the first row with any, at least three or all
/// that the row has; without rows, of the output. Nothing where none does.
Pattern slip_pattern(const Outcome& outcome, std::span<const Slip> slips);

/// One sentence on how the wrong values come out of the right ones, and a question: all NaN, all
/// the same, the sign, a factor, a constant too much, the neighbour's, the row's below, mirrored,
/// stored by columns, at other places, close but not close enough. Nothing where none of it holds
/// for all of them, or where there are too few to say.
Pattern value_pattern(const Outcome& outcome);

}  // namespace warpwise::lesson
