#pragma once
#include <cuda_bf16.h>

#include "layout.h"

/// \file
/// The online softmax of two rows that four lanes share, as a tensor core leaves them: of each
/// group of 8 columns lane 4g + t holds (g, 2t), (g, 2t + 1), (g + 8, 2t), (g + 8, 2t + 1).
namespace attention {

/// Running maxima and sums of rows g and g + 8. Maxima are those of the row in all four lanes; each
/// lane sums its own columns, because sums may wait for each other until the end and maxima may
/// not.
struct RowPair {
  float m[2] = {-INFINITY, -INFINITY}, l[2] = {0, 0};

  /// Keys that do not count get minus infinity. @param four of a group. @param query of row g.
  /// @param key of the group's first column. @param T tokens.
  __device__ static void mask(float* four, int query, int key, int T, bool causal) {
    const int of_lane = key + threadIdx.x % 4 * 2;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int at = of_lane + i % 2;
      if (at >= T || (causal && at > query + i / 2 * 8)) four[i] = -INFINITY;
    }
  }

  /// The maxima with one more group; those of a lane alone until agree().
  __device__ static void look(const float* four, float (&largest)[2]) {
    largest[0] = fmaxf(largest[0], fmaxf(four[0], four[1]));
    largest[1] = fmaxf(largest[1], fmaxf(four[2], four[3]));
  }

  /// The four lanes agree on new maxima; sums come to their scale.
  /// @param largest of this lane, at least m. @param[out] factor what results so far are multiplied
  /// by. @pre all lanes call it; a key that counts has been seen.
  __device__ void agree(float (&largest)[2], float scale, float (&factor)[2]) {
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      largest[i] = fmaxf(largest[i], __shfl_xor_sync(0xFFFFFFFF, largest[i], 1));
      largest[i] = fmaxf(largest[i], __shfl_xor_sync(0xFFFFFFFF, largest[i], 2));
      factor[i] = power_of_two((m[i] - largest[i]) * scale);
      m[i] = largest[i];
      l[i] *= factor[i];
    }
  }

  /// Scores of a group become weights: one multiply-add and one exponential each.
  /// @param minus_m the rows' -m * scale.
  __device__ void weigh(float* four, float scale, const float (&minus_m)[2]) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      four[i] = power_of_two(fmaf(four[i], scale, minus_m[i / 2]));
      l[i / 2] += four[i];
    }
  }

  /// The sums of the rows: once, at the end. @pre all lanes call it.
  __device__ void add_up() {
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      l[i] += __shfl_xor_sync(0xFFFFFFFF, l[i], 1);
      l[i] += __shfl_xor_sync(0xFFFFFFFF, l[i], 2);
    }
  }
};

/// Two neighbours as one register of a bf16 operand, the first in the lower half.
__device__ inline unsigned as_pair(float first, float second) {
  const __nv_bfloat162 pair = __floats2bfloat162_rn(first, second);
  return *reinterpret_cast<const unsigned*>(&pair);
}

}  // namespace attention
