/// \file
/// Checks exercise 04_fit_48_warps: 48 sums per row, with room for 48 warps on an SM.
#include <cmath>
#include <vector>

#include "base/numbers.h"
#include "check/exercise.h"

namespace lesson = warpwise::lesson;

namespace {

/// x length by rows, w length by 48, y 48 by rows, row-major, device. @pre blocks of 256 threads,
/// one for each 256 rows.
using Sums48 = void(const float* x, const float* w, float* y, int rows, int length);

constexpr int sums = 48;
constexpr int block = 256;

/// Multiples of 1/16: the sums of thousands of products are exact in any order.
std::vector<float> coarse(std::vector<float> numbers) {
  for (float& number : numbers) number = std::floor(number * 16) / 16;
  return numbers;
}

/// Size: rows, length.
void attempt(lesson::Attempt<Sums48>& attempt) {
  const int rows = attempt.size()[0], length = attempt.size()[1];
  const std::vector<float> x =
      coarse(lesson::uniform_numbers(static_cast<std::size_t>(rows) * length, 38));
  const std::vector<float> w =
      coarse(lesson::uniform_numbers(static_cast<std::size_t>(sums) * length, 39));
  std::vector<double> expected(static_cast<std::size_t>(sums) * rows, 0);
  for (int k = 0; k < length; ++k) {
    for (int j = 0; j < sums; ++j) {
      const double factor = w[static_cast<std::size_t>(k) * sums + j];
      const float* numbers = &x[static_cast<std::size_t>(k) * rows];
      double* out = &expected[static_cast<std::size_t>(j) * rows];
      for (int row = 0; row < rows; ++row) out[row] += factor * numbers[row];
    }
  }
  const float* device_x = attempt.input("x", x);
  const float* device_w = attempt.input("w", w);
  float* y = attempt.output("y", expected, {.absolute = 0x1p-149}, rows);
  attempt.launch({.grid = (rows + block - 1) / block, .block = block}, device_x, device_w, y, rows,
                 length);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{1024, 20};
  // x once: 4 sectors for each 32 of its numbers.
  const double once = static_cast<double>(last.elements()) / 8;
  return lesson::check_exercise<Sums48>(
      argc, argv,
      {.kernel = "sums_48",
       .sizes = {{255, 3}, {1, 1}, {257, 40}, {5, 2000}, {33, 7}, last},
       .budget = 40'000'000,
       .far_budget = 2'000'000'000,
       .lesson = "chapters/ch04_occupancy/README.md, \"Launch bounds\"",
       .gates = {{.name = "warps",
                  .what = "resident warps of an SM",
                  .measure = lesson::Measure::resident_warps,
                  .at_least = 48,
                  .mistake = "no_bounds"},
                 {.name = "registers",
                  .what = "bytes of a thread that are not in registers",
                  .measure = lesson::Measure::local_bytes,
                  .at_most = 0,
                  .mistake = "bound_alone",
                  .announced = "nothing spilled"},
                 {.name = "loads",
                  .what = "times that x is loaded",
                  .access = "global load",
                  .measure = lesson::Measure::sectors,
                  .per = once,
                  .at_least = 1,
                  .at_most = 2,
                  .mistake = "three_passes",
                  .array = "x",
                  .announced = "x loaded at most twice"},
                 {.name = "stores",
                  .what = "sectors stored for each 8 results",
                  .access = "global store",
                  .measure = lesson::Measure::sectors,
                  .per = sums * last[0] / 8.0,
                  .at_least = 1,
                  .at_most = 1},
                 {.name = "threads",
                  .what = "threads that store results",
                  .access = "global store",
                  .measure = lesson::Measure::threads,
                  .at_least = static_cast<double>(last[0]),
                  .mistake = "one_block",
                  .array = "y"}},
       .beyond = {{70001, 1}, {1, 70001}},
       .full = {1 << 18, 64},
       .needs =
           [](const lesson::Size& size) {
             return lesson::Needs{.flops = 2.0 * sums * size.elements()};
           }},
      attempt);
}
