/// \file
/// Checks exercise 05_l2_normalise: each row of a matrix divided by its length, read once.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "check/exercise.h"
#include "rows_input.h"

namespace lesson = warpwise::lesson;

namespace {

/// Row-major, device. @pre columns <= 256; blocks of (32, 4) threads, a warp for each row.
using L2Normalise = void(const float* x, float* y, int rows, int columns);

/// Numbers around 0; row 1 all zeros, rows 2 to 4 small next to any threshold and large, as far as
/// the sum of their squares is a float.
std::vector<float> input(int rows, int columns) {
  std::vector<float> x = checks::numbers(static_cast<std::size_t>(rows) * columns, 5, -1, 2);
  if (rows > 1) std::fill_n(x.begin() + columns, columns, 0.0F);
  const float scales[] = {1, 1, 1e-3F, 1e-17F, 1e17F};
  for (std::size_t i = 0; i < x.size() && i / columns < std::size(scales); ++i) {
    x[i] *= scales[i / columns];
  }
  return x;
}

std::vector<double> reference(const std::vector<float>& x, int columns) {
  std::vector<double> y(x.size());
  for (std::size_t begin = 0; begin < x.size(); begin += columns) {
    double squares = 0;
    for (int i = 0; i < columns; ++i) squares += double{x[begin + i]} * x[begin + i];
    for (int i = 0; i < columns; ++i) {
      y[begin + i] = squares > 0 ? x[begin + i] / std::sqrt(squares) : 0;
    }
  }
  return y;
}

void attempt(lesson::Attempt<L2Normalise>& attempt) {
  const int rows = attempt.size()[0];
  const int columns = attempt.size()[1];
  const std::vector<float> host = input(rows, columns);
  const float* x = attempt.input("x", host);
  // 256 positive terms, a root, a quotient, a product: a few units in the last place.
  float* y =
      attempt.output("y", reference(host, columns), {.absolute = 1e-8, .relative = 2e-6}, columns);
  attempt.launch({.grid = checks::blocks_of(rows), .block = {32, checks::warps_per_block}}, x, y,
                 rows, columns);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{256, 128};
  const double rows = last[0];
  return lesson::check_exercise<L2Normalise>(
      argc, argv,
      {.kernel = "l2_normalise",
       .sizes = {{3, 256}, {6, 97}, {7, 33}, {5, 32}, {3, 31}, {9, 250}, {1, 1}, last},
       .budget = 20'000'000,
       .far_budget = 2'000'000'000,
       .lesson = "chapters/ch05_warp_reduce/README.md, \"Keeping the row\"",
       .gates = {{.name = "sectors",
                  .what = "sectors loaded for each row of 128 floats",
                  .access = "global load",
                  .measure = lesson::Measure::sectors,
                  .per = rows,
                  .at_least = 16,
                  .at_most = 16,
                  .mistake = "read_twice"},
                 {.name = "shared",
                  .what = "accesses to shared memory for each row",
                  .access = "shared",
                  .measure = lesson::Measure::requests,
                  .per = rows,
                  .at_most = 0,
                  .mistake = "kept_in_shared"},
                 {.name = "registers",
                  .what = "bytes of a thread's arrays that are not in registers",
                  .measure = lesson::Measure::local_bytes,
                  .at_most = 0,
                  .mistake = "counted_index"},
                 {.name = "workers",
                  .what = "warps that store a row",
                  .access = "global store",
                  .measure = lesson::Measure::warps,
                  .at_least = rows,
                  .array = "y"}},
       .beyond = {{33001, 2}},
       .full = {131072, 256}},
      attempt);
}
