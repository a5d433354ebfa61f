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

/// Random bits that repeat on every machine: a linear congruential generator. The high bits are the
/// good ones.
class RandomBits {
 public:
  explicit constexpr RandomBits(std::uint32_t seed) : state_(seed) {}
  constexpr std::uint32_t operator()() { return state_ = state_ * 1664525U + 1013904223U; }
  /// In [0, 1), exact in float.
  constexpr float fraction() { return static_cast<float>((*this)() >> 8) * 0x1p-24F; }
  /// In [-1, 1], all bits rounded to float.
  constexpr float signed_fraction() {
    return static_cast<float>(static_cast<std::int32_t>((*this)())) * 0x1p-31F;
  }

 private:
  std::uint32_t state_;
};

/// Numbers in [-1, 1) that repeat on every machine; neighbours differ, and each is exact in float.
/// @param seed goes through seeded().
std::vector<float> uniform_numbers(std::size_t count, std::uint32_t seed = 1);

/// Indices in [0, limit) that repeat on every machine. @pre limit > 0.
/// @param seed goes through seeded().
std::vector<int> uniform_indices(std::size_t count, int limit, std::uint32_t seed = 1);

/// Whole numbers from -largest to largest that repeat on every machine: sums of them are exact in
/// every order. @param seed goes through seeded().
std::vector<float> whole_numbers(std::size_t count, int largest, std::uint32_t seed = 1);

/// Whole numbers from 0 to 1008 in turn, so small that sums and squares are exact; none is like its
/// neighbour. seeded(0) decides where they begin.
std::vector<float> numbers_in_turn(std::size_t count);

/// a / b, rounded up. @pre a >= 0, b > 0.
constexpr int ceil_div(int a, int b) { return a / b + (a % b != 0 ? 1 : 0); }

}  // namespace warpwise::lesson
