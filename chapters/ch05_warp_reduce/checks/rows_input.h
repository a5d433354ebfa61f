#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lesson/numbers.h"

/// \file
/// Numbers for this chapter's exercises on rows.
namespace checks {

/// Numbers in [low, low + span) that repeat on every machine; none is lost unnoticed.
/// @param state of the generator: other numbers.
inline std::vector<float> numbers(std::size_t count, std::uint32_t state, float low, float span) {
  state = warpwise::lesson::seeded(state);
  std::vector<float> x(count);
  for (float& value : x) {
    state = state * 1664525U + 1013904223U;
    value = low + span * static_cast<float>(state >> 8) * 0x1p-24F;
  }
  return x;
}

/// Blocks of four warps, a warp for each row: how the exercises are launched.
inline constexpr int warps_per_block = 4;
inline int blocks_of(int rows) { return (rows + warps_per_block - 1) / warps_per_block; }

}  // namespace checks
