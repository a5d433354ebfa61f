#include "lesson/numbers.h"

#include <cstdlib>

namespace warpwise::lesson {
namespace {

/// The next state of a linear congruential generator; its high bits are the good ones.
std::uint32_t next(std::uint32_t state) { return state * 1664525U + 1013904223U; }

}  // namespace

std::uint32_t seeded(std::uint32_t seed) {
  const char* hidden = std::getenv("WARPWISE_SEED");
  if (hidden == nullptr) return seed;
  const std::uint64_t mixed =
      (std::strtoull(hidden, nullptr, 10) + seed) * std::uint64_t{0x9e3779b97f4a7c15};
  return static_cast<std::uint32_t>(mixed >> 32);
}

std::vector<float> uniform_numbers(std::size_t count, std::uint32_t seed) {
  seed = seeded(seed);
  std::vector<float> numbers(count);
  for (float& number : numbers) {
    seed = next(seed);
    // 24 bits are what a float holds exactly.
    number = static_cast<float>(static_cast<std::int32_t>(seed) >> 8) * 0x1p-23F;
  }
  return numbers;
}

std::vector<int> uniform_indices(std::size_t count, int limit, std::uint32_t seed) {
  seed = seeded(seed);
  std::vector<int> indices(count);
  for (int& index : indices) {
    seed = next(seed);
    index = static_cast<int>((std::uint64_t{seed} * static_cast<std::uint32_t>(limit)) >> 32);
  }
  return indices;
}

}  // namespace warpwise::lesson
