/// \file
/// Checks exercise 09_masked_tile: a matrix plus an outer product, in tiles of 32 x 32.
#include <vector>

#include "base/numbers.h"
#include "check/exercise.h"

namespace lesson = warpwise::lesson;

namespace {

/// Row-major, device: x and y are rows x columns; u has rows floats, v has columns.
/// @pre blocks of (32, 8) threads, one for each tile of 32 x 32.
using AddOuter = void(const float* x, const float* u, const float* v, float* y, int rows,
                      int columns);

void attempt(lesson::Attempt<AddOuter>& attempt) {
  constexpr int tile = 32;
  const int rows = attempt.size()[0];
  const int columns = attempt.size()[1];
  const std::vector<float> x_host = lesson::uniform_numbers(attempt.size().elements(), 1);
  const std::vector<float> u_host = lesson::uniform_numbers(rows, 2);
  const std::vector<float> v_host = lesson::uniform_numbers(columns, 3);
  std::vector<double> expected(x_host.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    expected[i] = x_host[i] + static_cast<double>(u_host[i / columns]) * v_host[i % columns];
  }
  const float* x = attempt.input("x", x_host);
  const float* u = attempt.input("u", u_host);
  const float* v = attempt.input("v", v_host);
  // A product and a sum of numbers below 1, rounded once or twice.
  float* y = attempt.output("y", expected, {.absolute = 0x1p-22}, columns);
  const dim3 grid(lesson::ceil_div(columns, tile), lesson::ceil_div(rows, tile));
  attempt.launch({.grid = grid, .block = {32, 8}}, x, u, v, y, rows, columns);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{64, 96};
  // A warp's part of a row is 4 sectors of x; v may be loaded for each of them anew, and u is one.
  const double parts = static_cast<double>(last.elements()) / 32;
  return lesson::check_exercise<AddOuter>(
      argc, argv,
      {.kernel = "add_outer",
       .sizes = {{33, 31}, {1, 100}, {100, 1}, {31, 65}, {32, 32}, {7, 5}, {1, 1}, last},
       .budget = 20'000'000,
       .far_budget = 2'000'000'000,
       .lesson = "chapters/ch01_programming_model/README.md, \"The view of tiles\"",
       .gates = {{.name = "sectors",
                  .what = "sectors loaded for each 32 elements",
                  .access = "global load",
                  .measure = lesson::Measure::sectors,
                  .per = parts,
                  .at_least = 4,
                  .at_most = 9,
                  .mistake = "along_the_columns"},
                 {.name = "stores",
                  .what = "sectors stored for each 32 elements",
                  .access = "global store",
                  .measure = lesson::Measure::sectors,
                  .per = parts,
                  .at_least = 4,
                  .at_most = 4,
                  .mistake = "along_the_columns"},
                 {.name = "threads",
                  .what = "threads that store an element",
                  .access = "global store",
                  .measure = lesson::Measure::threads,
                  .at_least = static_cast<double>(last.elements()) / 4,
                  .mistake = "one_block",
                  .array = "y"}},
       .beyond = {{3, 40009}, {40009, 2}},
       .full = {8192, 4096}},
      attempt);
}
