#pragma once
#include <vector>

#include "base/numbers.h"

/// \file
/// Numbers for this chapter's exercises.
namespace checks {

/// Whole numbers from 0 to 1008, so small that sums and squares are exact; none is like its
/// neighbour. The seed decides where they begin.
inline std::vector<float> whole_numbers(int n) {
  const auto first = static_cast<int>(warpwise::lesson::seeded(0) % 1009);
  std::vector<float> x(n);
  for (int i = 0; i < n; ++i) x[i] = static_cast<float>((first + i) % 1009);
  return x;
}

}  // namespace checks
