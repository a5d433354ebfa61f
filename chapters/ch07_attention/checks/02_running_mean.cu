/// \file
/// Checks exercise 02_running_mean: a softmax-weighted mean, read once.
#include <algorithm>
#include <cmath>
#include <vector>

#include "base/numbers.h"
#include "check/exercise.h"

namespace lesson = warpwise::lesson;

namespace {

/// scores and values row-major, y a number per row, device. @pre blocks of (32, 4) threads, a warp
/// per row.
using RunningMean = void(const float* scores, const float* values, float* y, int rows, int columns);

/// Rows around -10000, around 10000, rising, falling, with one score far above the others.
std::vector<float> scores_of(int rows, int columns) {
  std::vector<float> scores = lesson::uniform_numbers(std::size_t{1} * rows * columns, 33);
  for (int row = 0; row < rows; ++row) {
    float* own = &scores[std::size_t{1} * row * columns];
    for (int i = 0; i < columns; ++i) {
      own[i] *= 3;
      if (row % 5 == 0) own[i] -= 10000;
      if (row % 5 == 1) own[i] += 10000;
      if (row % 5 == 2) own[i] += 0.125F * static_cast<float>(i % 1000);
      if (row % 5 == 3) own[i] -= 0.125F * static_cast<float>(i % 1000);
    }
    if (row % 5 == 4) own[columns / 3] = 12;
  }
  return scores;
}

void attempt(lesson::Attempt<RunningMean>& attempt) {
  const int rows = attempt.size()[0], columns = attempt.size()[1];
  const std::vector<float> scores = scores_of(rows, columns);
  const std::vector<float> values = lesson::uniform_numbers(std::size_t{1} * rows * columns, 34);
  std::vector<double> expected;
  for (int row = 0; row < rows; ++row) {
    const std::size_t begin = std::size_t{1} * row * columns;
    const double m = *std::max_element(&scores[begin], &scores[begin] + columns);
    double l = 0, o = 0;
    for (int i = 0; i < columns; ++i) {
      const double weight = std::exp(scores[begin + i] - m);
      l += weight;
      o += weight * values[begin + i];
    }
    expected.push_back(o / l);
  }
  const float* device_scores = attempt.input("scores", scores);
  const float* device_values = attempt.input("values", values);
  float* y = attempt.output("y", expected, {.absolute = 1e-5, .relative = 1e-5});
  attempt.launch({.grid = lesson::ceil_div(rows, 4), .block = {32, 4}}, device_scores,
                 device_values, y, rows, columns);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{32, 256};
  const double rows = last[0];
  return lesson::check_exercise<RunningMean>(
      argc, argv,
      {.kernel = "running_mean",
       .sizes = {{7, 33}, {1, 1}, {5, 31}, {6, 1000}, {5, 2051}, last},
       .budget = 40'000'000,
       .far_budget = 2'000'000'000,
       .lesson = "chapters/ch07_attention/README.md, \"A row at a time\"",
       .gates = {{.name = "sectors",
                  .what = "sectors loaded per row of 256 scores and 256 values",
                  .access = "global load",
                  .measure = lesson::Measure::sectors,
                  .per = rows,
                  .at_least = 64,
                  .at_most = 64,
                  .mistake = "two_passes"},
                 {.name = "shared",
                  .what = "accesses to shared memory per row",
                  .access = "shared",
                  .measure = lesson::Measure::requests,
                  .per = rows,
                  .at_most = 0,
                  .mistake = "through_shared"},
                 {.name = "workers",
                  .what = "warps that load scores",
                  .access = "global load",
                  .measure = lesson::Measure::warps,
                  .at_least = rows,
                  .array = "scores"},
                 {.name = "threads",
                  .what = "threads that load values",
                  .access = "global load",
                  .measure = lesson::Measure::threads,
                  .at_least = 32 * rows,
                  .mistake = "one_lane",
                  .array = "values"}},
       .beyond = {{2, 70001}, {33001, 1}},
       .full = {16384, 1024}},
      attempt);
}
