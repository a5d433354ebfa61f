/// \file
/// Checks exercise 03_column_sums: a thread adds along the words of one bank.
#include <vector>

#include "base/numbers.h"
#include "check/exercise.h"

namespace lesson = warpwise::lesson;

namespace {

/// @pre blocks of 32 threads, one thread for each column.
using ColumnSums = void(const float* x, float* y, int columns);

constexpr int column_length = 32;

void attempt(lesson::Attempt<ColumnSums>& attempt) {
  const int columns = attempt.size()[0];
  const std::vector<float> host =
      lesson::uniform_numbers(static_cast<std::size_t>(columns) * column_length);
  std::vector<double> expected(columns);
  for (std::size_t i = 0; i < host.size(); ++i) expected[i / column_length] += host[i];
  const float* x = attempt.input("x", host);
  // 31 additions of sums below 32.
  float* y = attempt.output("y", expected, {.absolute = 2e-5});
  attempt.launch({.grid = lesson::ceil_div(columns, 32), .block = 32}, x, y, columns);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{1 << 10};
  const double columns = last[0];
  const double tiles = columns / 32;
  return lesson::check_exercise<ColumnSums>(
      argc, argv,
      {.kernel = "column_sums",
       .sizes = {{33}, {7}, {1}, {31}, {100}, last},
       .budget = 20'000'000,
       .lesson = "chapters/ch03_shared_memory_banks/README.md, \"Banks\"",
       .gates = {{.name = "sectors",
                  .what = "sectors loaded for each column",
                  .access = "global load",
                  .measure = lesson::Measure::sectors,
                  .per = columns,
                  .at_least = 4,
                  .at_most = 4,
                  .mistake = "straight_from_global"},
                 {.name = "shared",
                  .what = "loads from shared memory for each 32 columns",
                  .access = "shared load",
                  .measure = lesson::Measure::requests,
                  .per = tiles,
                  .at_least = 8},
                 {.name = "conflicts",
                  .what = "bank conflicts for each 32 columns",
                  .access = "shared",
                  .measure = lesson::Measure::bank_conflicts,
                  .per = tiles,
                  .at_most = 0,
                  .mistake = "no_padding"},
                 {.name = "atomics",
                  .what = "atomic additions in shared memory for each 32 columns",
                  .access = "shared atomic",
                  .measure = lesson::Measure::requests,
                  .per = tiles,
                  .at_most = 0,
                  .mistake = "shared_atomics"},
                 {.name = "threads",
                  .what = "threads that store an element",
                  .access = "global store",
                  .measure = lesson::Measure::threads,
                  .at_least = columns,
                  .mistake = "one_lane_sums",
                  .array = "y"}},
       .beyond = {{33001}},
       .full = {1 << 20}},
      attempt);
}
