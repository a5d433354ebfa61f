/// \file
/// Checks exercise 01_gated_gelu: gelu(a) * b for rows (a | b).
#include <cmath>
#include <vector>

#include "base/numbers.h"
#include "check/exercise.h"

namespace lesson = warpwise::lesson;

namespace {

/// x rows * 2 * columns, y rows * columns, row-major, device, 16 aligned. @pre columns % 4 == 0,
/// blocks of 128 threads, a thread per four columns of y.
using GatedGelu = void(const float* x, float* y, int rows, int columns);

void attempt(lesson::Attempt<GatedGelu>& attempt) {
  const int rows = attempt.size()[0], columns = attempt.size()[1];
  std::vector<float> x = lesson::uniform_numbers(std::size_t{2} * rows * columns, 31);
  // Also where an exponential overflows.
  for (std::size_t i = 0; i < x.size(); ++i) x[i] *= i % 13 == 5 ? 60 : 4;
  std::vector<double> expected;
  for (int row = 0; row < rows; ++row) {
    const float* a = &x[std::size_t{2} * row * columns];
    for (int i = 0; i < columns; ++i) {
      const double v = a[i];
      const double u = std::sqrt(2 / M_PI) * (v + 0.044715 * v * v * v);
      expected.push_back(0.5 * v * (1 + std::tanh(u)) * a[columns + i]);
    }
  }
  const float* device_x = attempt.input("x", x);
  // The forms by tanh and by erf differ by 4.7e-4, times b.
  float* y = attempt.output("y", expected, {.absolute = 1e-5, .relative = 2e-6}, columns);
  const int threads = rows * columns / 4;
  attempt.launch({.grid = lesson::ceil_div(threads, 128), .block = 128}, device_x, y, rows,
                 columns);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{37, 260};
  const double numbers = last[0] * last[1];
  return lesson::check_exercise<GatedGelu>(
      argc, argv,
      {.kernel = "gated_gelu",
       .sizes = {{1, 4}, {3, 8}, {5, 132}, {2, 1028}, {1, 516}, last},
       .budget = 20'000'000,
       .far_budget = 400'000'000,
       .lesson = "chapters/ch07_attention/README.md, \"GELU, twice\"",
       .gates = {{.name = "requests",
                  .what = "load requests per 128 numbers of a and of b",
                  .access = "global load",
                  .measure = lesson::Measure::requests,
                  .per = numbers / 128,
                  .at_least = 2,
                  .at_most = 2.1,
                  .mistake = "one_float"},
                 {.name = "sectors",
                  .what = "sectors loaded per 8 results",
                  .access = "global load",
                  .measure = lesson::Measure::sectors,
                  .per = numbers / 8,
                  .at_least = 2,
                  .at_most = 2.1},
                 {.name = "workers",
                  .what = "threads that load",
                  .access = "global load",
                  .measure = lesson::Measure::threads,
                  .at_least = numbers / 4,
                  .array = "x"}},
       .beyond = {{33001, 4}, {2, 70004}},
       .full = {4096, 4096}},
      attempt);
}
