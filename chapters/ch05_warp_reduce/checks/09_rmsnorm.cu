/// \file
/// Checks exercise 09_rmsnorm: each row of a matrix over the root of its mean square, weighted.
#include <algorithm>
#include <cmath>
#include <vector>

#include "check/exercise.h"
#include "rows_input.h"

namespace lesson = warpwise::lesson;

namespace {

/// x and y row-major, weight columns floats, device. @pre columns % 4 == 0; blocks of (32, 4)
/// threads, a warp for each row.
using RmsNorm = void(const float* x, const float* weight, float* y, int rows, int columns);

constexpr double epsilon = 1e-5;

/// Numbers around 0.5; row 1 nearly zero, so that epsilon counts.
std::vector<float> input(int rows, int columns) {
  std::vector<float> x = checks::numbers(static_cast<std::size_t>(rows) * columns, 9, -1, 3);
  // Squares of quarters: sums of a hundred thousand are exact in any order.
  if (columns > checks::many_columns) {
    for (float& value : x) value = std::round(value * 4) / 4;
  }
  if (rows > 1) std::for_each(&x[columns], &x[columns] + columns, [](float& v) { v *= 0x1p-10F; });
  return x;
}

std::vector<double> reference(const std::vector<float>& x, const std::vector<float>& weight,
                              int columns) {
  std::vector<double> y(x.size());
  for (std::size_t begin = 0; begin < x.size(); begin += columns) {
    double squares = 0;
    for (int i = 0; i < columns; ++i) squares += double{x[begin + i]} * x[begin + i];
    const double root = std::sqrt(squares / columns + epsilon);
    for (int i = 0; i < columns; ++i) y[begin + i] = x[begin + i] / root * weight[i];
  }
  return y;
}

void attempt(lesson::Attempt<RmsNorm>& attempt) {
  const int rows = attempt.size()[0];
  const int columns = attempt.size()[1];
  const std::vector<float> host = input(rows, columns);
  const std::vector<float> weight = checks::numbers(static_cast<std::size_t>(columns), 10, 0.5F, 1);
  const float* x = attempt.input("x", host);
  const float* device_weight = attempt.input("weight", weight);
  // Positive terms, a root, a quotient, two products: a few units in the last place.
  float* y = attempt.output("y", reference(host, weight, columns),
                            {.absolute = 1e-8, .relative = 3e-6}, columns);
  attempt.launch({.grid = checks::blocks_of(rows), .block = {32, checks::warps_per_block}}, x,
                 device_weight, y, rows, columns);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{256, 128};
  const double rows = last[0];
  return lesson::check_exercise<RmsNorm>(
      argc, argv,
      {.kernel = "rmsnorm",
       .sizes = {{3, 1000}, {6, 100}, {7, 36}, {5, 128}, {3, 28}, {2, 4}, last},
       .budget = 20'000'000,
       .far_budget = 2'000'000'000,
       .lesson = "chapters/ch05_warp_reduce/README.md, \"LayerNorm\"",
       .gates = {{.name = "loads",
                  .what = "load requests for each row of 128 floats",
                  .access = "global load",
                  .measure = lesson::Measure::requests,
                  .per = rows,
                  .at_least = 2,
                  .at_most = 3,
                  .mistake = "single_floats"},
                 {.name = "stores",
                  .what = "store requests for each row of 128 floats",
                  .access = "global store",
                  .measure = lesson::Measure::requests,
                  .per = rows,
                  .at_least = 1,
                  .at_most = 1,
                  .mistake = "single_stores"},
                 {.name = "workers",
                  .what = "warps that store a row",
                  .access = "global store",
                  .measure = lesson::Measure::warps,
                  .at_least = rows,
                  .array = "y"}},
       .beyond = {{2, 70004}, {33001, 4}},
       .full = {32768, 1024}},
      attempt);
}
