#pragma once
#include <vector>

#include "base/numbers.h"

/// \file
/// Inputs of this chapter's checks: whole numbers, so that sums are exact in every order.

namespace checks {

/// From -8 to 8. @param seed another one for each array.
inline std::vector<float> whole_numbers(int count, int seed) {
  constexpr int largest = 8;
  std::vector<float> numbers(count);
  const std::vector<int> indices =
      warpwise::lesson::uniform_indices(count, 2 * largest + 1, 20 + seed);
  for (int i = 0; i < count; ++i) numbers[i] = static_cast<float>(indices[i] - largest);
  return numbers;
}

/// Where chunk c of n begins. Chunks may be empty.
inline int chunk_begin(int c, int n, int count) {
  return static_cast<int>(static_cast<long long>(c) * count / n);
}

}  // namespace checks
