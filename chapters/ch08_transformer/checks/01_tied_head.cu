/// \file
/// Checks exercise 01_tied_head: logits by the embedding's table, whose rows are padded.
#include <cmath>
#include <vector>

#include "base/numbers.h"
#include "check/exercise.h"

namespace lesson = warpwise::lesson;

namespace {

/// h (rows, columns), wte (padded, columns), logits (rows, padded), device. @pre blocks of (32, 4)
/// threads, a warp per row of wte.
using TiedHead = void(const float* h, const float* wte, float* logits, int rows, int columns, int V,
                      int padded);

/// Rows of zeros after V: multiples of 8, the next but one, so that a whole block is padding.
int padded(int V) { return (V / 8 + 2) * 8 - 1; }

void attempt(lesson::Attempt<TiedHead>& attempt) {
  const int rows = attempt.size()[0], columns = attempt.size()[1], V = attempt.size()[2];
  std::vector<float> h = lesson::uniform_numbers(std::size_t{1} * rows * columns, 1);
  std::vector<float> wte = lesson::uniform_numbers(std::size_t{1} * V * columns, 2);
  // Positive and negative: every true logit is below zero, where a zero would win.
  for (float& value : h) value = 0.5F + std::fabs(value);
  for (float& value : wte) value = -0.25F - std::fabs(value);
  wte.resize(std::size_t{1} * padded(V) * columns, 0);
  std::vector<double> expected;
  for (int r = 0; r < rows; ++r) {
    for (int v = 0; v < padded(V); ++v) {
      double sum = v < V ? 0 : -INFINITY;
      for (int c = 0; v < V && c < columns; ++c) {
        sum += static_cast<double>(h[r * columns + c]) * wte[std::size_t{1} * v * columns + c];
      }
      expected.push_back(sum);
    }
  }
  const float* of_h = attempt.input("h", h);
  const float* of_wte = attempt.input("wte", wte);
  // A sum of `columns` products below 2: a unit in the last place of each partial sum.
  float* logits = attempt.output("logits", std::move(expected), {.relative = 1e-5}, padded(V));
  attempt.launch({.grid = lesson::ceil_div(padded(V), 4), .block = {32, 4}}, of_h, of_wte, logits,
                 rows, columns, V, padded(V));
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{3, 160, 257};
  return lesson::check_exercise<TiedHead>(
      argc, argv,
      {.kernel = "tied_head",
       .sizes = {{1, 32, 1}, {2, 32, 9}, {4, 64, 31}, {1, 768, 16}, {2, 96, 64}, last},
       .budget = 20'000'000,
       .far_budget = 1'000'000'000,
       .lesson = "chapters/ch08_transformer/README.md, \"A file is 16 tensors\"",
       .gates = {{.name = "sectors",
                  .what = "sectors loaded per 32 floats of the table and of h",
                  .access = "global load",
                  .measure = lesson::Measure::sectors,
                  .per = 257.0 * 160 / 32 * 2 * 3,
                  .at_least = 1,
                  .at_most = 4.5,
                  .mistake = "lane_by_lane"},
                 {.name = "warps",
                  .what = "threads that load from the table",
                  .access = "global load",
                  .measure = lesson::Measure::threads,
                  .at_least = 257.0 * 32,
                  .array = "wte"}},
       .beyond = {{1, 32, 20011}, {1, 20000, 3}, {5003, 32, 1}},
       .full = {4, 768, 50257}},
      attempt);
}
