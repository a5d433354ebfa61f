/// \file
/// Checks exercise 03_inclusive_scan: the running sums of each row of a matrix.
#include <vector>

#include "check/exercise.h"
#include "rows_input.h"

namespace lesson = warpwise::lesson;

namespace {

/// Row-major, device. @pre blocks of (32, 4) threads, a warp for each row.
using InclusiveScan = void(const float* x, float* y, int rows, int columns);

void attempt(lesson::Attempt<InclusiveScan>& attempt) {
  const int rows = attempt.size()[0];
  const int columns = attempt.size()[1];
  std::vector<float> host = checks::numbers(attempt.size().elements(), 13, 0.5F, 1);
  if (columns > checks::many_columns) host = checks::coarse(host);
  std::vector<double> expected(host.size());
  for (std::size_t i = 0; i < host.size(); ++i) {
    expected[i] = host[i] + (i % columns == 0 ? 0 : expected[i - 1]);
  }
  const float* x = attempt.input("x", host);
  // Positive terms; a sum passes through five additions for each 32 columns.
  float* y = attempt.output("y", expected, {.relative = 4e-6}, columns);
  attempt.launch({.grid = checks::blocks_of(rows), .block = {32, checks::warps_per_block}}, x, y,
                 rows, columns);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{256, 128};
  const double rows = last[0];
  return lesson::check_exercise<InclusiveScan>(
      argc, argv,
      {.kernel = "inclusive_scan",
       .sizes = {{3, 1000}, {6, 97}, {7, 33}, {5, 32}, {3, 31}, {1, 1}, last},
       .budget = 20'000'000,
       .far_budget = 2'000'000'000,
       .lesson = "chapters/ch05_warp_reduce/README.md, \"A sum for every position\"",
       .gates = {{.name = "sectors",
                  .what = "sectors loaded for each row of 128 floats",
                  .access = "global load",
                  .measure = lesson::Measure::sectors,
                  .per = rows,
                  .at_least = 16,
                  .at_most = 16,
                  .mistake = "every_lane_from_the_start"},
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
       .beyond = {{1, 20011}, {33001, 1}},
       .full = {32768, 1024}},
      attempt);
}
