/// \file
/// Checks exercise 01_scale_columns: a factor for each column of a row-major matrix.
#include <vector>

#include "base/numbers.h"
#include "check/exercise.h"

namespace lesson = warpwise::lesson;

namespace {

/// @pre blocks of 256 threads, one thread for each element.
using ScaleColumns = void(const float* x, const float* factor, float* y, int rows, int columns);

void attempt(lesson::Attempt<ScaleColumns>& attempt) {
  constexpr int block_threads = 256;
  const int rows = attempt.size()[0];
  const int columns = attempt.size()[1];
  const std::vector<float> x_host = lesson::uniform_numbers(attempt.size().elements(), 1);
  const std::vector<float> factor_host = lesson::uniform_numbers(columns, 2);
  std::vector<double> expected(x_host.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    expected[i] = static_cast<double>(x_host[i]) * factor_host[i % columns];
  }
  const float* x = attempt.input("x", x_host);
  const float* factor = attempt.input("factor", factor_host);
  // One product, correctly rounded.
  float* y = attempt.output("y", expected, {.absolute = 0x1p-149, .relative = 0x1p-24}, columns);
  attempt.launch({.grid = lesson::ceil_div(rows * columns, block_threads), .block = block_threads},
                 x, factor, y, rows, columns);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{128, 256};
  const double warps = static_cast<double>(last.elements()) / 32;
  // 32 floats of x are 4 sectors, 32 of factor another 4.
  return lesson::check_exercise<ScaleColumns>(
      argc, argv,
      {.kernel = "scale_columns",
       .sizes = {{7, 33}, {1, 1000}, {1000, 1}, {31, 31}, {1, 1}, {3, 257}, {257, 257}, last},
       .budget = 20'000'000,
       .lesson = "chapters/ch02_coalescing/README.md, \"Which thread takes which element\"",
       .gates = {{.name = "sectors",
                  .what = "sectors loaded for each 32 elements, x and factor together",
                  .access = "global load",
                  .measure = lesson::Measure::sectors,
                  .per = warps,
                  .at_least = 4,
                  .at_most = 8,
                  .mistake = "down_the_columns"},
                 {.name = "stores",
                  .what = "sectors stored for each 32 elements",
                  .access = "global store",
                  .measure = lesson::Measure::sectors,
                  .per = warps,
                  .at_least = 4,
                  .at_most = 4,
                  .mistake = "down_the_columns"},
                 {.name = "share",
                  .what = "stores of the thread that makes most of them",
                  .access = "global store",
                  .measure = lesson::Measure::most_of_thread,
                  .at_least = 1,
                  .at_most = 1,
                  .mistake = "one_block",
                  .array = "y"}},
       .beyond = {{3, 20011}, {20011, 3}},
       .full = {8192, 4096}},
      attempt);
}
