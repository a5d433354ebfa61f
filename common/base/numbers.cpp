#include "base/numbers.h"

#include <cstdlib>

namespace warpwise::lesson {

std::uint32_t seeded(std::uint32_t seed) {
  const char* hidden = std::getenv("WARPWISE_SEED");
  if (hidden == nullptr) return seed;
  const std::uint64_t mixed =
      (std::strtoull(hidden, nullptr, 10) + seed) * std::uint64_t{0x9e3779b97f4a7c15};
  return static_cast<std::uint32_t>(mixed >> 32);
}

std::vector<float> uniform_numbers(std::size_t count, std::uint32_t seed) {
  RandomBits bits(seeded(seed));
  std::vector<float> numbers(count);
  for (float& number : numbers) {
    // 24 bits are what a float holds exactly.
    number = static_cast<float>(static_cast<std::int32_t>(bits()) >> 8) * 0x1p-23F;
  }
  return numbers;
}

std::vector<int> uniform_indices(std::size_t count, int limit, std::uint32_t seed) {
  RandomBits bits(seeded(seed));
  std::vector<int> indices(count);
  for (int& index : indices) {
    index = static_cast<int>((std::uint64_t{bits()} * static_cast<std::uint32_t>(limit)) >> 32);
  }
  return indices;
}

std::vector<float> whole_numbers(std::size_t count, int largest, std::uint32_t seed) {
  std::vector<float> numbers;
  numbers.reserve(count);
  for (const int index : uniform_indices(count, 2 * largest + 1, seed)) {
    numbers.push_back(static_cast<float>(index - largest));
  }
  return numbers;
}

std::vector<float> numbers_in_turn(std::size_t count) {
  constexpr std::size_t period = 1009;
  const std::size_t first = seeded(0) % period;
  std::vector<float> numbers(count);
  for (std::size_t i = 0; i < count; ++i) {
    numbers[i] = static_cast<float>((first + i) % period);
  }
  return numbers;
}

}  // namespace warpwise::lesson
