/// \file
/// Checks exercise 09_two_accumulators: a weighted sum of rows, even and odd rows separately.
#include <cstdint>
#include <vector>

#include "base/numbers.h"
#include "check/exercise.h"

namespace lesson = warpwise::lesson;

namespace {

/// @pre blocks of 128 threads, a thread for each column.
using WeightedRows = void(const float* x, const float* w, float* y, int rows, int columns);

/// Powers of two: products with them are exact.
std::vector<float> weights(int rows) {
  std::vector<float> w(rows);
  for (int row = 0; row < rows; ++row) w[row] = static_cast<float>(1 << row % 3);
  return w;
}

/// Even rows: weighted, 2^60, 2^60, -2^60, -2^60 and so on, so that each four of them cancel, and
/// so do each two that are four rows apart: four sums by row modulo 4 are right as well. Up to
/// three are left, which are small. Odd rows: multiples of 2^-10 below 1, which vanish next to
/// 2^60, in a double too.
std::vector<float> input(int rows, int columns, const std::vector<float>& w) {
  constexpr float large = 0x1p60F;
  std::vector<float> x;
  lesson::RandomBits bits(lesson::seeded(13));
  const int even_rows = (rows + 1) / 2;
  for (int row = 0; row < rows; ++row) {
    const bool cancels = row % 2 == 0 && row / 2 < even_rows / 4 * 4;
    for (int column = 0; column < columns; ++column) {
      const float small = static_cast<float>(1 + (bits() >> 22)) * 0x1p-10F;
      const float sign = row / 2 % 4 < 2 ? 1.0F : -1.0F;
      x.push_back(cancels ? sign * large / w[row] : small);
    }
  }
  return x;
}

/// Even and odd rows separately, because 2^60 is large even for a double.
std::vector<double> reference(const std::vector<float>& x, const std::vector<float>& w,
                              int columns) {
  std::vector<double> sums[2] = {std::vector<double>(columns), std::vector<double>(columns)};
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t row = i / columns;
    sums[row % 2][i % columns] += static_cast<double>(w[row]) * x[i];
  }
  for (int column = 0; column < columns; ++column) sums[0][column] += sums[1][column];
  return sums[0];
}

void attempt(lesson::Attempt<WeightedRows>& attempt) {
  const int rows = attempt.size()[0], columns = attempt.size()[1];
  const std::vector<float> host_w = weights(rows);
  const std::vector<float> host = input(rows, columns, host_w);
  const float* x = attempt.input("x", host);
  const float* w = attempt.input("w", host_w);
  // The two sums are exact, their sum nearly.
  float* y = attempt.output("y", reference(host, host_w, columns), {.relative = 0x1p-22});
  attempt.launch({.grid = (columns + 127) / 128, .block = 128}, x, w, y, rows, columns);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{64, 1024};
  // A row of 1024 floats is 128 sectors; its weight is asked for by 32 warps.
  return lesson::check_exercise<WeightedRows>(
      argc, argv,
      {.kernel = "weighted_rows",
       .sizes = {{1, 1}, {2, 31}, {3, 33}, {9, 129}, {33, 100}, {65, 7}, last},
       .budget = 20'000'000,
       .far_budget = 2'000'000'000,
       .lesson = "chapters/ch04_occupancy/README.md, \"Independent work within a thread\"",
       .gates = {{.name = "sectors",
                  .what = "sectors loaded for each row of 1024 floats, with its weight",
                  .access = "global load",
                  .measure = lesson::Measure::sectors,
                  .per = static_cast<double>(last[0]),
                  .at_least = 128,
                  .at_most = 160},
                 // Whatever order the loads of a few iterations have; the second of two walks
                 // begins 61 rows away.
                 {.name = "order",
                  .what = "rows from one load of x to the next, at most",
                  .measure = lesson::Measure::jump,
                  .per = 4.0 * last[1],
                  .at_least = 1,
                  .at_most = 16,
                  .mistake = "two_loops",
                  .array = "x",
                  .announced = "one walk through the rows"},
                 {.name = "threads",
                  .what = "threads that store a column",
                  .access = "global store",
                  .measure = lesson::Measure::threads,
                  .at_least = static_cast<double>(last[1]),
                  .array = "y"}},
       .beyond = {{20011, 3}, {3, 33001}},
       .full = {256, 1 << 17}},
      attempt);
}
