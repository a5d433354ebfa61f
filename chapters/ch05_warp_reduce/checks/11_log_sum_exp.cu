/// \file
/// Checks exercise 11_log_sum_exp: the logarithm of each row's sum of exponentials, read once.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "check/exercise.h"
#include "rows_input.h"

namespace lesson = warpwise::lesson;

namespace {

/// x row-major, y a number for each row, device. @pre blocks of (32, 4) threads, a warp for each
/// row.
using LogSumExp = void(const float* x, float* y, int rows, int columns);

/// Rows of several kinds in turn: around -10000, around 10000, with masked numbers, with one number
/// far above the others, rising from left to right.
std::vector<float> input(int rows, int columns) {
  std::vector<float> x = checks::numbers(static_cast<std::size_t>(rows) * columns, 20, -4, 8);
  for (int row = 0; row < rows; ++row) {
    float* own = &x[static_cast<std::size_t>(row) * columns];
    for (int i = 0; i < columns; ++i) {
      if (row % 5 == 0) own[i] -= 10000;
      if (row % 5 == 1) own[i] += 10000;
      if (row % 5 == 2 && i % 3 != 0) own[i] = -std::numeric_limits<float>::infinity();
      if (row % 5 == 4) own[i] += 0.25F * static_cast<float>(i % 1000);
    }
    if (row % 5 == 3) own[columns * 2 / 3] = 90;
  }
  return x;
}

std::vector<double> reference(const std::vector<float>& x, int rows, int columns) {
  std::vector<double> y(rows);
  for (int row = 0; row < rows; ++row) {
    const float* in = &x[static_cast<std::size_t>(row) * columns];
    const double largest = *std::max_element(in, in + columns);
    double sum = 0;
    for (int i = 0; i < columns; ++i) sum += std::exp(in[i] - largest);
    y[row] = largest + std::log(sum);
  }
  return y;
}

void attempt(lesson::Attempt<LogSumExp>& attempt) {
  const int rows = attempt.size()[0];
  const int columns = attempt.size()[1];
  const std::vector<float> host = input(rows, columns);
  const float* x = attempt.input("x", host);
  // The logarithm hides an error of the sum; a result near 10000 has steps of 1e-3.
  float* y =
      attempt.output("y", reference(host, rows, columns), {.absolute = 2e-5, .relative = 2e-7});
  attempt.launch({.grid = checks::blocks_of(rows), .block = {32, checks::warps_per_block}}, x, y,
                 rows, columns);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{32, 256};
  const double rows = last[0];
  return lesson::check_exercise<LogSumExp>(
      argc, argv,
      {.kernel = "log_sum_exp",
       .sizes = {{7, 33}, {1, 1}, {5, 31}, {6, 1000}, {5, 20011}, last},
       .budget = 40'000'000,
       .far_budget = 2'000'000'000,
       .lesson = "chapters/ch05_warp_reduce/README.md, \"Softmax, online\"",
       .gates = {{.name = "sectors",
                  .what = "sectors loaded for each row of 256 floats",
                  .access = "global load",
                  .measure = lesson::Measure::sectors,
                  .per = rows,
                  .at_least = 32,
                  .at_most = 32,
                  .mistake = "two_passes"},
                 {.name = "shared",
                  .what = "accesses to shared memory for each row",
                  .access = "shared",
                  .measure = lesson::Measure::requests,
                  .per = rows,
                  .at_most = 0,
                  .mistake = "through_shared"},
                 {.name = "workers",
                  .what = "warps that load a row",
                  .access = "global load",
                  .measure = lesson::Measure::warps,
                  .at_least = rows,
                  .mistake = "one_block",
                  .array = "x"}},
       .beyond = {{2, 70001}, {33001, 1}},
       .full = {32768, 1024}},
      attempt);
}
