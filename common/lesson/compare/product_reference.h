#pragma once
#include <span>
#include <vector>

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

/// C = A B, each sum in double from the first k to the last.
/// @param a M x K, row-major. @param b as `layout` says. Both without gaps.
/// @return M x N, row-major.
/// @pre positive sizes; as many elements as these say.
std::vector<double> product_reference(std::span<const float> a, std::span<const float> b, int M,
                                      int N, int K, SecondMatrix layout = SecondMatrix::plain);

}  // namespace warpwise::lesson
