/// \file
/// Checks exercise 12_bug_kind_test: causal softmax whose rows begin anywhere.
#include <algorithm>
#include <cmath>
#include <vector>

#include "check/exercise.h"
#include "rows_input.h"

namespace lesson = warpwise::lesson;

namespace {

/// x a square matrix of scores, y the same size, row-major, device. @pre blocks of (32, 4) threads,
/// a warp for each row.
using CausalSoftmax = void(const float* x, float* y, int length);

std::vector<double> reference(const std::vector<float>& x, int length) {
  std::vector<double> y(x.size(), 0);
  for (int row = 0; row < length; ++row) {
    const std::size_t first = static_cast<std::size_t>(row) * length;
    double largest = x[first], sum = 0;
    for (int i = 0; i <= row; ++i) largest = std::max(largest, double{x[first + i]});
    for (int i = 0; i <= row; ++i) sum += std::exp(x[first + i] - largest);
    for (int i = 0; i <= row; ++i) y[first + i] = std::exp(x[first + i] - largest) / sum;
  }
  return y;
}

void attempt(lesson::Attempt<CausalSoftmax>& attempt) {
  const int length = attempt.size()[0];
  const std::vector<float> host =
      checks::numbers(static_cast<std::size_t>(length) * length, 21, -4, 8);
  const float* x = attempt.input("x", host);
  // Exponentials, a sum of at most a thousand of them, and one division.
  float* y =
      attempt.output("y", reference(host, length), {.absolute = 1e-7, .relative = 1e-5}, length);
  attempt.launch({.grid = checks::blocks_of(length), .block = {32, checks::warps_per_block}}, x, y,
                 length);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{256};
  return lesson::check_exercise<CausalSoftmax>(
      argc, argv,
      {.kernel = "causal_softmax",
       .sizes = {{5}, {1}, {4}, {6}, {7}, {63}, {100}, {257}, last},
       .budget = 400'000'000,
       .lesson = "chapters/ch05_warp_reduce/README.md, \"Softmax, online\"",
       .gates = {{.name = "requests",
                  .what = "load requests for all rows",
                  .access = "global load",
                  .measure = lesson::Measure::requests,
                  .at_least = 256,
                  .at_most = 1900,
                  .mistake = "all_scalar"},
                 {.name = "shared",
                  .what = "accesses to shared memory",
                  .access = "shared",
                  .measure = lesson::Measure::requests,
                  .at_most = 0},
                 {.name = "threads",
                  .what = "threads that store results",
                  .access = "global store",
                  .measure = lesson::Measure::threads,
                  .at_least = 32.0 * last[0],
                  .mistake = "one_block",
                  .array = "y"}},
       .author_test = {{64}, {256}, {1024}},
       .beyond = {{1030}},
       .full = {4096},
       .needs =
           [](const lesson::Size& size) {
             const double read = 0.5 * size[0] * (size[0] + 1.0),
                          stored = double{1} * size[0] * size[0];
             return lesson::Needs{.bytes = 4 * (read + stored)};
           }},
      attempt);
}
