#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/numbers.h"

/// \file
/// Numbers for this chapter's exercises on rows.
namespace checks {

/// Numbers in [low, low + span) that repeat on every machine; none is lost unnoticed.
/// @param seed of the generator: other numbers.
inline std::vector<float> numbers(std::size_t count, std::uint32_t seed, float low, float span) {
  warpwise::lesson::RandomBits bits(warpwise::lesson::seeded(seed));
  std::vector<float> x(count);
  for (float& value : x) value = low + span * bits.fraction();
  return x;
}

/// The same numbers as multiples of 1/64: every order of adding up a hundred thousand of them gives
/// the same sum, so that long rows need no wider tolerance.
inline std::vector<float> coarse(std::vector<float> x) {
  for (float& value : x) value = std::round(value * 64) / 64;
  return x;
}

/// Columns from which rows are long.
inline constexpr int many_columns = 8192;

/// Blocks of four warps, a warp for each row: how the exercises are launched.
inline constexpr int warps_per_block = 4;
inline int blocks_of(int rows) { return (rows + warps_per_block - 1) / warps_per_block; }

}  // namespace checks
