#pragma once
#include <span>
#include <vector>

#include "base/function.h"
#include "lesson/compare/value_pattern.h"

/// \file
/// The reference of a matrix product: in double, on all cores, fast enough for the sizes that a GPU
/// is timed at.
/// \ingroup lesson
namespace warpwise::lesson {

/// The layout of a product's second matrix in memory.
enum class SecondMatrix {
  plain,       ///< K x N, row-major.
  transposed,  ///< N x K, row-major: each row holds a column of B.
};

/// What a product is where a factor is taken for its transpose: A of M x K read as K x M, B in the
/// other layout, each by the numbers that lie at the offsets then.
/// @param a, b, layout of the right product; the slips keep copies.
/// @param finish of an element: what is stored of its sum; none: the sum.
std::vector<Slip> transposed_slips(std::span<const float> a, std::span<const float> b, int M, int N,
                                   int K, SecondMatrix layout = SecondMatrix::plain,
                                   const std::function<double(double, std::size_t)>& finish = {});

/// C = A B, each sum in double from the first k to the last.
/// @param a M x K, row-major. @param b as `layout` says. Both without gaps.
/// @return M x N, row-major.
/// @pre positive sizes; as many elements as these say.
std::vector<double> product_reference(std::span<const float> a, std::span<const float> b, int M,
                                      int N, int K, SecondMatrix layout = SecondMatrix::plain);

}  // namespace warpwise::lesson
