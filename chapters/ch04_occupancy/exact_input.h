#pragma once
#include <cstdint>
#include <vector>

/// \file
/// Input for kernels whose sums must come out exactly.

/// Multiples of 2^-10 in [-1, 1): sums of a few are exact.
inline std::vector<float> exact_input(int n) {
  std::vector<float> x(n);
  std::uint32_t state = 5;
  for (float& value : x) {
    state = state * 1664525U + 1013904223U;
    value = static_cast<float>(static_cast<int>(state >> 21) - 1024) * 0x1p-10F;
  }
  return x;
}
