/// \file
/// Checks exercise 05_merge_parts: partial softmaxes of 64 columns become one.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/numbers.h"
#include "check/exercise.h"

namespace lesson = warpwise::lesson;

namespace {

/// m, l (rows, S), o (rows, S, 64), y (rows, 64), device. @pre blocks of (32, 4) threads, a warp
/// per row.
using MergeParts = void(const float* m, const float* l, const float* o, float* y, int rows, int S);

constexpr int columns = 64;

/// Of the parts of row r: every third is empty; all parts of every seventh row are.
bool is_empty(int row, int part) { return row % 7 == 3 || (row + part) % 3 == 1; }

void attempt(lesson::Attempt<MergeParts>& attempt) {
  const int rows = attempt.size()[0], S = attempt.size()[1];
  const std::size_t parts = std::size_t{1} * rows * S;
  std::vector<float> m = lesson::uniform_numbers(parts, 51), l = lesson::uniform_numbers(parts, 52);
  std::vector<float> o = lesson::uniform_numbers(parts * columns, 53);
  for (std::size_t i = 0; i < parts; ++i) {
    const int row = static_cast<int>(i / S);
    // Around -200, 0 and 200: exp of the last is not a float, and of the first it is 0.
    m[i] = 3 * m[i] + 200.0F * static_cast<float>(row % 3 - 1);
    l[i] = 2 + l[i];
    if (!is_empty(row, static_cast<int>(i % S))) continue;
    m[i] = -std::numeric_limits<float>::infinity();
    l[i] = 0;
    std::fill_n(&o[i * columns], columns, 0.0F);
  }
  std::vector<double> expected(std::size_t{columns} * rows);
  for (int row = 0; row < rows; ++row) {
    const std::size_t first = std::size_t{1} * row * S;
    const double largest = *std::max_element(&m[first], &m[first] + S);
    double sum = 0;
    double* y = &expected[std::size_t{columns} * row];
    for (std::size_t s = first; s < first + S; ++s) {
      if (std::isinf(m[s])) continue;
      const double weight = std::exp(m[s] - largest);
      sum += weight * l[s];
      for (int c = 0; c < columns; ++c) y[c] += weight * o[s * columns + c];
    }
    for (int c = 0; c < columns && sum > 0; ++c) y[c] /= sum;
  }
  const float *device_m = attempt.input("m", m), *device_l = attempt.input("l", l);
  const float* device_o = attempt.input("o", o);
  float* y = attempt.output("y", expected, {.absolute = 4e-6, .relative = 4e-6}, columns);
  attempt.launch({.grid = lesson::ceil_div(rows, 4), .block = {32, 4}}, device_m, device_l,
                 device_o, y, rows, S);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{48, 37};
  const double parts = last[0] * last[1];
  // Of every seventh row from row 3 on all parts are empty, and a third of the others.
  return lesson::check_exercise<MergeParts>(
      argc, argv,
      {.kernel = "merge_parts",
       .sizes = {{1, 1}, {5, 2}, {9, 7}, {8, 33}, {3, 130}, last},
       .budget = 60'000'000,
       .far_budget = 2'000'000'000,
       .lesson = "chapters/ch07_attention/README.md, \"One query\"",
       .gates = {{.name = "sectors",
                  .what = "sectors loaded per part",
                  .access = "global load",
                  .measure = lesson::Measure::sectors,
                  .per = parts,
                  .at_least = 4,
                  .at_most = 12,
                  .mistake = "lane_per_part"},
                 {.name = "shared",
                  .what = "accesses to shared memory per part",
                  .access = "shared",
                  .measure = lesson::Measure::requests,
                  .per = parts,
                  .at_most = 0},
                 {.name = "workers",
                  .what = "warps that load columns",
                  .access = "global load",
                  .measure = lesson::Measure::warps,
                  .at_least = 41,
                  .array = "o"},
                 {.name = "stores",
                  .what = "threads that store",
                  .access = "global store",
                  .measure = lesson::Measure::threads,
                  .at_least = 48.0 * 32,
                  .mistake = "lane_per_part",
                  .array = "y"}},
       .beyond = {{2, 7001}, {33001, 1}},
       .full = {8192, 64}},
      attempt);
}
