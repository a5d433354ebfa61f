/// \file
/// Checks exercise 02_butterfly: each row of a matrix scaled to the range from 0 to 1.
#include <algorithm>
#include <vector>

#include "check/exercise.h"
#include "rows_input.h"

namespace lesson = warpwise::lesson;

namespace {

/// Row-major, device. @pre blocks of (32, 4) threads, a warp for each row.
using Butterfly = void(const float* x, float* y, int rows, int columns);

/// Positive rows and negative ones in turn, so that a zero among them shows; row 2 all the same,
/// rows 4 and 5 larger, and smaller, than whatever number an extreme may begin with, rows 6 to 9 of
/// a range that is small next to any threshold.
std::vector<float> input(int rows, int columns) {
  std::vector<float> x = checks::numbers(static_cast<std::size_t>(rows) * columns, 3, 1, 2);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t row = i / columns;
    if (row % 2 == 1) x[i] = -x[i];
    if (row == 2) x[i] = 0.75F;
    if (row == 4 || row == 5) x[i] *= 0x1p100F;
    if (row == 6 || row == 7) x[i] *= 1e-3F;
    if (row == 8 || row == 9) x[i] *= 1e-30F;
  }
  return x;
}

std::vector<double> reference(const std::vector<float>& x, int columns) {
  std::vector<double> y(x.size());
  for (std::size_t begin = 0; begin < x.size(); begin += columns) {
    const auto [smallest, largest] = std::minmax_element(&x[begin], &x[begin] + columns);
    const double range = double{*largest} - *smallest;
    for (int i = 0; i < columns; ++i) {
      y[begin + i] = range > 0 ? (double{x[begin + i]} - *smallest) / range : 0;
    }
  }
  return y;
}

void attempt(lesson::Attempt<Butterfly>& attempt) {
  const int rows = attempt.size()[0];
  const int columns = attempt.size()[1];
  const std::vector<float> host = input(rows, columns);
  const float* x = attempt.input("x", host);
  // Two differences and a quotient, each rounded.
  float* y = attempt.output("y", reference(host, columns), {.absolute = 3e-7}, columns);
  attempt.launch({.grid = checks::blocks_of(rows), .block = {32, checks::warps_per_block}}, x, y,
                 rows, columns);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{256, 128};
  const double rows = last[0];
  return lesson::check_exercise<Butterfly>(
      argc, argv,
      {.kernel = "butterfly",
       .sizes = {{3, 1000}, {6, 97}, {11, 33}, {5, 32}, {3, 31}, {1, 1}, last},
       .budget = 20'000'000,
       .far_budget = 2'000'000'000,
       .lesson = "chapters/ch05_warp_reduce/README.md, \"A sum that every lane needs\"",
       .gates = {{.name = "sectors",
                  .what = "sectors loaded for each row of 128 floats",
                  .access = "global load",
                  .measure = lesson::Measure::sectors,
                  .per = rows,
                  .at_least = 16,
                  .at_most = 34,  // twice, and its first number to begin with
                  .mistake = "three_reads"},
                 {.name = "shared",
                  .what = "accesses to shared memory for each row",
                  .access = "shared",
                  .measure = lesson::Measure::requests,
                  .per = rows,
                  .at_most = 0,
                  .mistake = "through_shared"},
                 {.name = "workers",
                  .what = "warps that store a row",
                  .access = "global store",
                  .measure = lesson::Measure::warps,
                  .at_least = rows,
                  .array = "y"}},
       .beyond = {{2, 70001}, {33001, 2}},
       .full = {32768, 1024}},
      attempt);
}
