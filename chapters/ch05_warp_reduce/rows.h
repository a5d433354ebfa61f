#pragma once
#include <cstddef>

/// \file
/// What the ladders of this chapter have in common: rows of a matrix, read in packs by warps.
namespace rows {

inline constexpr int warp_size = 32;
/// More blocks than any GPU holds at once, few enough that starting them costs little.
inline constexpr int most_blocks = 32768;

inline int ceil_div(int a, int b) { return (a + b - 1) / b; }

/// Offset of a row. @param columns of the matrix.
__device__ inline std::size_t row_begin(int row, int columns) {
  return static_cast<std::size_t>(row) * columns;
}

/// N neighbouring floats that one instruction loads or stores.
template <int N>
struct alignas(N * sizeof(float)) Pack {
  float value[N];
};

/// The sum of a warp's values, in every lane, by a butterfly. @pre all 32 lanes call it.
__device__ inline float warp_sum(float value) {
  for (int distance = warp_size / 2; distance > 0; distance /= 2) {
    value += __shfl_xor_sync(0xFFFFFFFF, value, distance);
  }
  return value;
}

}  // namespace rows
