// How an H200 chooses the level from two gradients, found from what it gave for 12,000 of them: 97
// % of these get the same level here, the others one that is off by 1/256 or 2/256. For gradients
// of a cube's directions this holds as long as they stay on the face.

#include "simulator/machine/textures/texel_gradients.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace warpwise::machine {
namespace {

constexpr int kept_bits = 10;    ///< of each part of a gradient
constexpr int length_bits = 11;  ///< of a length, after the first of its longest part
constexpr int mean_bits = 9;     ///< of a length across
constexpr int steps = 256;  ///< of a level, and of the numbers from one power of two to the next
constexpr float no_level = -126;  ///< of a gradient that is none
constexpr float last_level = 127;

double cut(double value, int bits) {
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  return std::ldexp(std::trunc(std::ldexp(fraction, bits)), exponent - bits);
}

/// About the length of a vector: without squares and a root.
double length_of(const double* parts) {
  double sizes[3] = {std::fabs(parts[0]), std::fabs(parts[1]), std::fabs(parts[2])};
  std::sort(std::begin(sizes), std::end(sizes));
  if (sizes[2] == 0) return 0;
  const double sum = sizes[2] + sizes[1] * 11 / 32 + sizes[0] / 4;
  const int last = std::ilogb(sizes[2]) - length_bits;
  return std::ldexp(std::floor(std::ldexp(sum, -last)), last);
}

/// Logarithms to base 2 of the numbers from 1 to 2, from a table.
int logarithm(int index) {
  static const auto table = [] {
    std::array<int, steps> logarithms{};
    for (int i = 1; i < steps; ++i)
      logarithms[i] = std::min(
          steps - 1, static_cast<int>(std::floor(steps * std::log2(1 + (i + 0.5) / steps) + 0.47)));
    return logarithms;
  }();
  return table[index];
}

}  // namespace

float level_of_gradients(const double (&gradients)[2][3]) {
  // The two may be on one line: then their joint length counts.
  double right[3], down[3], sum[3], difference[3];
  for (int i = 0; i < 3; ++i) {
    right[i] = std::isnan(gradients[0][i]) ? 0 : cut(gradients[0][i], kept_bits);
    down[i] = std::isnan(gradients[1][i]) ? 0 : cut(gradients[1][i], kept_bits);
    if (std::isinf(right[i]) || std::isinf(down[i])) return last_level;
    sum[i] = cut(right[i] + down[i], kept_bits);
    difference[i] = cut(right[i] - down[i], kept_bits);
  }
  const double across = std::max(length_of(sum), length_of(difference)) * 11 / 16;
  const double longest = std::max({length_of(right), length_of(down), cut(across, mean_bits)});
  if (longest == 0) return no_level;
  const int whole = std::ilogb(longest);
  const int index = static_cast<int>(std::ldexp(longest, -whole) * steps) - steps;
  return static_cast<float>(whole) + static_cast<float>(logarithm(index)) / steps;
}

void move_on_cube(const float (&direction)[3], const float (&change)[3], double (&moved)[3]) {
  double from = 0, to = 0;
  for (int i = 0; i < 3; ++i) {
    from = std::max(from, std::fabs(double{direction[i]}));
    to = std::max(to, std::fabs(double{direction[i]} + change[i]));
  }
  for (int i = 0; i < 3; ++i)
    moved[i] = ((double{direction[i]} + change[i]) / to - direction[i] / from) / 2;
}

}  // namespace warpwise::machine
