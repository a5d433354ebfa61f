/// \file
/// Checks exercise 04_hand_over: sums of one product as the operand of the next.
#include <cuda_fp16.h>

#include <algorithm>
#include <vector>

#include "base/numbers.h"
#include "check/exercise.h"

namespace lesson = warpwise::lesson;

namespace {

/// a, b, v (tiles, 16, 16) halfs, y (tiles, 16, 16) floats, row-major, device. @pre blocks of 32
/// threads, one per tile.
using HandOver = void(const __half* a, const __half* b, const __half* v, float* y);

constexpr int side = 16, tile = side * side;

/// Whole numbers between -most and most, divided by `by`: each is exact as a half.
std::vector<float> whole(std::size_t count, int most, float by, std::uint32_t seed) {
  std::vector<float> values = lesson::whole_numbers(count, most, seed);
  for (float& value : values) value /= by;
  return values;
}

std::vector<__half> as_half(const std::vector<float>& values) {
  std::vector<__half> halfs;
  for (const float value : values) halfs.push_back(__float2half(value));
  return halfs;
}

void attempt(lesson::Attempt<HandOver>& attempt) {
  const int tiles = attempt.size()[0];
  const std::size_t count = std::size_t{tile} * tiles;
  // Scores are whole numbers up to 64 in size: exact as halfs, as are all sums as floats.
  const std::vector<float> a = whole(count, 2, 1, 81), b = whole(count, 2, 1, 82);
  const std::vector<float> v = whole(count, 16, 8, 83);
  std::vector<double> expected(count);
  for (std::size_t first = 0; first < count; first += tile) {
    for (int row = 0; row < side; ++row) {
      for (int key = 0; key < side; ++key) {
        double score = 0;
        for (int k = 0; k < side; ++k) {
          score += a[first + row * side + k] * b[first + key * side + k];
        }
        score = std::max(score, 0.0);
        for (int column = 0; column < side; ++column) {
          expected[first + row * side + column] += score * v[first + key * side + column];
        }
      }
    }
  }
  const __half *device_a = attempt.input("a", as_half(a)),
               *device_b = attempt.input("b", as_half(b));
  const __half* device_v = attempt.input("v", as_half(v));
  float* y = attempt.output("y", expected, {}, side);
  attempt.launch({.grid = tiles, .block = 32}, device_a, device_b, device_v, y);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{13};
  const double tiles = last[0];
  return lesson::check_exercise<HandOver>(
      argc, argv,
      {.kernel = "hand_over",
       .sizes = {{1}, {2}, {7}, last},
       .budget = 40'000'000,
       .far_budget = 2'000'000'000,
       .lesson = "chapters/ch07_attention/README.md, \"Scores as an operand\"",
       .gates = {{.name = "products",
                  .what = "products on tensor cores per tile",
                  .measure = lesson::Measure::matrix_products,
                  .per = tiles,
                  .at_least = 4,
                  .mistake = "scalar_sums"},
                 {.name = "shared",
                  .what = "accesses to shared memory per tile",
                  .access = "shared",
                  .measure = lesson::Measure::requests,
                  .per = tiles,
                  .at_most = 0,
                  .mistake = "through_shared"},
                 {.name = "workers",
                  .what = "warps that store a tile",
                  .access = "global store",
                  .measure = lesson::Measure::warps,
                  .at_least = tiles,
                  .array = "y"}},
       .beyond = {{2003}},
       .full = {1 << 16}},
      attempt);
}
