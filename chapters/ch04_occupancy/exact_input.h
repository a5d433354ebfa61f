#pragma once
#include <vector>

#include "base/numbers.h"

/// \file
/// Input for kernels whose sums must come out exactly.

/// Multiples of 2^-10 in [-1, 1): sums of a few are exact.
inline std::vector<float> exact_input(int n) {
  std::vector<float> x(n);
  warpwise::lesson::RandomBits bits(5);
  for (float& value : x)
    value = static_cast<float>(static_cast<int>(bits() >> 21) - 1024) * 0x1p-10F;
  return x;
}
