/// \file
/// Checks exercise 06_block_sum: the sum of each row of a matrix by a block.
#include <vector>

#include "check/exercise.h"
#include "rows_input.h"

namespace lesson = warpwise::lesson;

namespace {

/// x row-major, sums rows floats, device. @pre blocks of 256 threads; fewer blocks than rows.
using BlockSum = void(const float* x, float* sums, int rows, int columns);

void attempt(lesson::Attempt<BlockSum>& attempt) {
  const int rows = attempt.size()[0];
  const int columns = attempt.size()[1];
  std::vector<float> host =
      checks::numbers(attempt.size().elements(), 7, 0.5F, 1);  // a lost number shows
  if (columns > checks::many_columns) host = checks::coarse(host);
  std::vector<double> expected(rows);
  for (std::size_t i = 0; i < host.size(); ++i) expected[i / columns] += host[i];
  const float* x = attempt.input("x", host);
  // Some thousand positive terms, of which a thread adds a few.
  float* sums = attempt.output("sums", expected, {.relative = 2e-6});
  attempt.launch({.grid = (rows + 2) / 3, .block = 256}, x, sums, rows, columns);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{48, 1024};
  const double rows = last[0];
  return lesson::check_exercise<BlockSum>(
      argc, argv,
      {.kernel = "block_sum",
       .sizes = {{3, 5000}, {7, 255}, {5, 257}, {4, 33}, {9, 8}, {2, 1}, {121, 9}, last},
       .budget = 20'000'000,
       .far_budget = 2'000'000'000,
       .lesson = "chapters/ch05_warp_reduce/README.md, \"The idea\"",
       .gates = {{.name = "sectors",
                  .what = "sectors loaded for each row of 1024 floats",
                  .access = "global load",
                  .measure = lesson::Measure::sectors,
                  .per = rows,
                  .at_least = 128,
                  .at_most = 128,
                  .mistake = "neighbours_per_thread"},
                 {.name = "shared",
                  .what = "accesses to shared memory for each row",
                  .access = "shared",
                  .measure = lesson::Measure::requests,
                  .per = rows,
                  .at_least = 9,
                  .at_most = 16,
                  .mistake = "every_thread_adds"},
                 {.name = "atomics",
                  .what = "atomic additions in shared memory for each row",
                  .access = "shared atomic",
                  .measure = lesson::Measure::requests,
                  .per = rows,
                  .at_most = 0,
                  .mistake = "shared_atomics"},
                 {.name = "workers",
                  .what = "warps that load numbers of x",
                  .access = "global load",
                  .measure = lesson::Measure::warps,
                  .at_least = rows / 3 * 8,
                  .mistake = "half_the_block",
                  .array = "x"}},
       .beyond = {{2, 70001}, {2051, 3}},
       .full = {32768, 1024}},
      attempt);
}
