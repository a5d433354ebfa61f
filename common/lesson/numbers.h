#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

/// \file
/// Inputs and small arithmetic that every chapter's host code needs.
/// \ingroup lesson
namespace warpwise::lesson {

/// A seed, mixed with the number in the environment variable WARPWISE_SEED: other inputs for every
/// check at once. The tutor sets it where it grades, so that results cannot be written down
/// beforehand. Without it: the seed itself.
std::uint32_t seeded(std::uint32_t seed);

/// Numbers in [-1, 1) that repeat on every machine; neighbours differ, and each is exact in float.
/// @param seed goes through seeded().
std::vector<float> uniform_numbers(std::size_t count, std::uint32_t seed = 1);

/// Indices in [0, limit) that repeat on every machine. @pre limit > 0.
/// @param seed goes through seeded().
std::vector<int> uniform_indices(std::size_t count, int limit, std::uint32_t seed = 1);

/// a / b, rounded up. @pre a >= 0, b > 0.
constexpr int ceil_div(int a, int b) { return a / b + (a % b != 0 ? 1 : 0); }

}  // namespace warpwise::lesson
