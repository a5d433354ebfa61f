/// \file
/// Checks exercise 10_row_variance: the variance of each row of a matrix, a warp for each row.
#include <vector>

#include "check/exercise.h"
#include "rows_input.h"

namespace lesson = warpwise::lesson;

namespace {

/// x row-major, y a number for each row, device. @pre blocks of (32, 4) threads, a warp for each
/// row.
using RowVariance = void(const float* x, float* y, int rows, int columns);

/// Rows of several kinds in turn: around 0, around 16, around 4096, all equal, tiny, huge.
std::vector<float> input(int rows, int columns) {
  struct Kind {
    float scale, middle;
  };
  constexpr Kind kinds[] = {{1, 0}, {1, 16}, {1, 4096}, {0, 3}, {1e-3F, 0}, {1e15F, 0}};
  std::vector<float> x = checks::numbers(static_cast<std::size_t>(rows) * columns, 17, -0.5F, 1);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Kind& kind = kinds[i / columns % std::size(kinds)];
    x[i] = x[i] * kind.scale + kind.middle;
  }
  return x;
}

std::vector<double> reference(const std::vector<float>& x, int rows, int columns) {
  std::vector<double> y(rows);
  for (int row = 0; row < rows; ++row) {
    const float* in = &x[static_cast<std::size_t>(row) * columns];
    double mean = 0;
    for (int i = 0; i < columns; ++i) mean += in[i];
    mean /= columns;
    for (int i = 0; i < columns; ++i) y[row] += (in[i] - mean) * (in[i] - mean) / columns;
  }
  return y;
}

void attempt(lesson::Attempt<RowVariance>& attempt) {
  const int rows = attempt.size()[0];
  const int columns = attempt.size()[1];
  const std::vector<float> host = input(rows, columns);
  const float* x = attempt.input("x", host);
  // The float mean of a row around 4096 is off by some 1e-3: squared, that is little next to
  // 1 / 12. Welford in floats rounds the mean at each step, which costs 2e-4 there.
  float* y = attempt.output("y", reference(host, rows, columns), {.relative = 1e-3});
  attempt.launch({.grid = checks::blocks_of(rows), .block = {32, checks::warps_per_block}}, x, y,
                 rows, columns);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{64, 128};
  const double rows = last[0];
  return lesson::check_exercise<RowVariance>(
      argc, argv,
      {.kernel = "row_variance",
       .sizes = {{5, 257}, {7, 33}, {6, 31}, {1, 1}, {3, 20001}, last},
       .budget = 20'000'000,
       .far_budget = 2'000'000'000,
       .lesson = "chapters/ch05_warp_reduce/README.md, \"LayerNorm\"",
       .gates = {{.name = "sectors",
                  .what = "sectors loaded for each row of 128 floats",
                  .access = "global load",
                  .measure = lesson::Measure::sectors,
                  .per = rows,
                  .at_least = 16,
                  .at_most = 32,
                  .mistake = "three_passes"},
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
