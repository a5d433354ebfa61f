/// \file
/// Checks exercise 04_padded_transpose: a scaled matrix turned by tiles of 32 x 32.
#include <vector>

#include "base/numbers.h"
#include "check/exercise.h"

namespace lesson = warpwise::lesson;

namespace {

/// x row-major, out its transpose, scale a factor for each row; device. @pre blocks of (32, 8)
/// threads for tiles of 32 x 32, blockIdx.x along the columns.
using ScaledTranspose = void(const float* x, const float* scale, float* out, int rows, int columns);

constexpr int tile = 32;

void attempt(lesson::Attempt<ScaledTranspose>& attempt) {
  const int rows = attempt.size()[0];
  const int columns = attempt.size()[1];
  const std::vector<float> host = lesson::uniform_numbers(attempt.size().elements(), 24);
  const std::vector<float> factors = lesson::uniform_numbers(rows, 25);
  std::vector<double> expected(host.size());
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      expected[static_cast<std::size_t>(column) * rows + row] =
          double{factors[row]} * host[static_cast<std::size_t>(row) * columns + column];
    }
  }
  const float* x = attempt.input("x", host);
  const float* scale = attempt.input("scale", factors);
  // One product, correctly rounded.
  float* out = attempt.output("out", expected, {.absolute = 0x1p-149, .relative = 0x1p-24}, rows);
  attempt.launch({.grid = {static_cast<unsigned>((columns + tile - 1) / tile),
                           static_cast<unsigned>((rows + tile - 1) / tile)},
                  .block = {tile, 8}},
                 x, scale, out, rows, columns);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{128, 96};
  const double warps = last[0] * last[1] / 32.0;
  return lesson::check_exercise<ScaledTranspose>(
      argc, argv,
      {.kernel = "scaled_transpose",
       .sizes = {{31, 65}, {1, 1}, {1, 33}, {33, 1}, {100, 300}, {3, 5001}, {5001, 2}, last},
       .budget = 20'000'000,
       .far_budget = 2'000'000'000,
       .lesson = "chapters/ch03_shared_memory_banks/README.md, \"Turning a tile\"",
       .gates = {{.name = "stores",
                  .what = "sectors stored for each 32 numbers",
                  .access = "global store",
                  .measure = lesson::Measure::sectors,
                  .per = warps,
                  .at_least = 4,
                  .at_most = 4,
                  .mistake = "no_tile"},
                 {.name = "loads",
                  .what = "sectors loaded for each 32 numbers, of x and of scale",
                  .access = "global load",
                  .measure = lesson::Measure::sectors,
                  .per = warps,
                  .at_least = 4,
                  .at_most = 8},
                 {.name = "shared",
                  .what = "accesses to shared memory for each 32 numbers",
                  .access = "shared",
                  .measure = lesson::Measure::requests,
                  .per = warps,
                  .at_least = 2,
                  .at_most = 4},
                 {.name = "conflicts",
                  .what = "bank conflicts",
                  .access = "shared",
                  .measure = lesson::Measure::bank_conflicts,
                  .at_most = 0,
                  .mistake = "not_padded"},
                 {.name = "threads",
                  .what = "threads that store numbers",
                  .access = "global store",
                  .measure = lesson::Measure::threads,
                  .at_least = last[0] * last[1] / 4.0,
                  .mistake = "one_block",
                  .array = "out"}},
       .beyond = {{3, 30011}, {30011, 2}},
       .full = {8192, 4096}},
      attempt);
}
