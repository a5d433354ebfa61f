/// \file
/// Checks exercise 01_lane_sum: each row of a matrix minus its mean, a warp for each row.
#include <vector>

#include "check/exercise.h"
#include "rows_input.h"

namespace lesson = warpwise::lesson;

namespace {

/// Row-major, device. @pre blocks of (32, 4) threads, a warp for each row, a quarter as many blocks
/// as rows, rounded up.
using LaneSum = void(const float* x, float* y, int rows, int columns);

std::vector<double> reference(const std::vector<float>& x, int columns) {
  std::vector<double> y(x.size());
  for (std::size_t begin = 0; begin < x.size(); begin += columns) {
    double sum = 0;
    for (int column = 0; column < columns; ++column) sum += x[begin + column];
    for (int column = 0; column < columns; ++column) {
      y[begin + column] = x[begin + column] - sum / columns;
    }
  }
  return y;
}

void attempt(lesson::Attempt<LaneSum>& attempt) {
  const int rows = attempt.size()[0];
  const int columns = attempt.size()[1];
  // Around 1: a lost element changes a mean visibly.
  std::vector<float> host = checks::numbers(attempt.size().elements(), 7, 0.5F, 1);
  if (columns > checks::many_columns) host = checks::coarse(host);
  const float* x = attempt.input("x", host);
  // A thousand float additions of numbers near 1, divided by their count.
  float* y = attempt.output("y", reference(host, columns), {.absolute = 2e-6}, columns);
  attempt.launch({.grid = checks::blocks_of(rows), .block = {32, checks::warps_per_block}}, x, y,
                 rows, columns);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{256, 128};
  const double rows = last[0];
  // 128 floats are 16 sectors. To read the row twice is allowed.
  return lesson::check_exercise<LaneSum>(
      argc, argv,
      {.kernel = "lane_sum",
       .sizes = {{3, 1000}, {6, 97}, {7, 33}, {5, 32}, {3, 31}, {1, 1}, last},
       .budget = 20'000'000,
       .far_budget = 2'000'000'000,
       .lesson = "chapters/ch05_warp_reduce/README.md, \"A sum that every lane needs\"",
       .gates = {{.name = "sectors",
                  .what = "sectors loaded for each row of 128 floats",
                  .access = "global load",
                  .measure = lesson::Measure::sectors,
                  .per = rows,
                  .at_least = 16,
                  .at_most = 32,
                  .mistake = "chunk_per_lane"},
                 {.name = "stores",
                  .what = "sectors stored for each row of 128 floats",
                  .access = "global store",
                  .measure = lesson::Measure::sectors,
                  .per = rows,
                  .at_least = 16,
                  .at_most = 16,
                  .mistake = "chunk_per_lane"},
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
       .beyond = {{2, 70001}, {33001, 1}},
       .full = {32768, 1024}},
      attempt);
}
