#pragma once
#include <cuda_fp16.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/numbers.h"
#include "lesson/compare/product_reference.h"

/// \file
/// Numbers for this chapter's exercises.
namespace checks {

/// Multiples of 1/8 in [-2, 2] without zero: half, bf16 and TF32 hold them exactly, fp32 every
/// product and every sum of a few thousand. What is left out or taken twice changes the result.
/// @param seed of the generator: other numbers.
inline std::vector<float> input(std::size_t count, std::uint32_t seed) {
  warpwise::lesson::RandomBits bits(warpwise::lesson::seeded(seed));
  std::vector<float> values(count);
  for (float& value : values) {
    const std::uint32_t drawn = bits();
    const int magnitude = static_cast<int>(drawn >> 28) + 1;  // 1 to 16
    value = static_cast<float>((drawn >> 8 & 1U) != 0U ? magnitude : -magnitude) / 8;
  }
  return values;
}

/// The same numbers as halfs.
inline std::vector<__half> as_half(const std::vector<float>& values) {
  std::vector<__half> halfs;
  halfs.reserve(values.size());
  for (float value : values) halfs.push_back(__float2half(value));
  return halfs;
}

}  // namespace checks
