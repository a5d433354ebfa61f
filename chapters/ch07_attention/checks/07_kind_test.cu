/// \file
/// Checks exercise 07_kind_test: a causal softmax whose T is any number.
#include <algorithm>
#include <cmath>
#include <vector>

#include "base/numbers.h"
#include "check/exercise.h"

namespace lesson = warpwise::lesson;

namespace {

/// x, y rows x T, row-major, device. @pre blocks of (32, 4) threads, a warp per row.
using SoftmaxAnyLength = void(const float* x, float* y, int rows, int T);

int length_of(int row, int T) { return row % T + 1; }

void attempt(lesson::Attempt<SoftmaxAnyLength>& attempt) {
  const int rows = attempt.size()[0], T = attempt.size()[1];
  std::vector<float> x = lesson::uniform_numbers(std::size_t{1} * rows * T, 71);
  std::vector<double> expected(x.size());
  for (int row = 0; row < rows; ++row) {
    const std::size_t first = std::size_t{1} * row * T;
    const int length = length_of(row, T);
    // What does not count is large, and rows are far from zero.
    for (int i = 0; i < T; ++i) {
      x[first + i] =
          6 * x[first + i] + (i >= length ? 500.0F : 100.0F * static_cast<float>(row % 3 - 1));
    }
    const double largest = *std::max_element(&x[first], &x[first] + length);
    double sum = 0;
    for (int i = 0; i < length; ++i) {
      sum += expected[first + i] = std::exp(x[first + i] - largest);
    }
    for (int i = 0; i < length; ++i) expected[first + i] /= sum;
  }
  const float* device_x = attempt.input("x", x);
  float* y = attempt.output("y", expected, {.absolute = 1e-10, .relative = 1e-5}, T);
  attempt.launch({.grid = lesson::ceil_div(rows, 4), .block = {32, 4}}, device_x, y, rows, T);
}

/// Sectors that hold a score that counts.
double sectors_needed(int rows, int T) {
  double sectors = 0;
  for (int row = 0; row < rows; ++row) {
    const int first = row * T, last = first + length_of(row, T) - 1;
    sectors += last / 8 - first / 8 + 1;
  }
  return sectors;
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{197, 197};
  return lesson::check_exercise<SoftmaxAnyLength>(
      argc, argv,
      {.kernel = "softmax_any_length",
       .sizes = {{64, 64}, {63, 63}, {1, 1}, {62, 31}, {130, 65}, {6, 3}, last},
       .budget = 60'000'000,
       .far_budget = 2'000'000'000,
       .lesson = "chapters/ch07_attention/README.md, \"The test that was too kind\"",
       .gates = {{.name = "sectors",
                  .what = "sectors loaded, per sector that holds a score that counts",
                  .access = "global load",
                  .measure = lesson::Measure::sectors,
                  .per = sectors_needed(last[0], last[1]),
                  .at_least = 1,
                  .at_most = 3.6,
                  .mistake = "whole_rows",
                  .announced = "what does not count is not loaded"},
                 {.name = "workers",
                  .what = "warps that load a row",
                  .access = "global load",
                  .measure = lesson::Measure::warps,
                  .at_least = 197,
                  .array = "x"}},
       .beyond = {{3, 70001}, {33001, 2}},
       .full = {16384, 1024},
       .needs =
           [](const lesson::Size& size) {
             // A row ends where its length does: half of the scores count.
             return lesson::Needs{.bytes = 32 * sectors_needed(size[0], size[1]) +
                                           4.0 * size.elements()};
           }},
      attempt);
}
