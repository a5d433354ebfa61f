#pragma once

/// \file
/// Accesses to a score matrix in device memory, each on a line of its own: the table `score_bytes`
/// adds up what the simulator counts for these two lines.
namespace attention {

/// Reads one score, or one weight.
__device__ inline float load_score(const float* score) {
  return *score;  // counted
}

/// Writes one score, or one weight.
__device__ inline void store_score(float* score, float value) {
  *score = value;  // counted
}

}  // namespace attention
