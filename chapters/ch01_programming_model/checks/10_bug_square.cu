/// \file
/// Checks exercise 10_bug_square: a bias for each column, with a stride that only squares forgive.
#include <vector>

#include "base/numbers.h"
#include "check/exercise.h"

namespace lesson = warpwise::lesson;

namespace {

/// x and y batches of row-major matrices, bias a number for each column; device. @pre blocks of
/// (32, 8) threads, blockIdx.x along the columns, blockIdx.y along the rows, a layer per matrix.
using BatchBias = void(const float* x, const float* bias, float* y, int batches, int rows,
                       int columns);

constexpr int block_columns = 32;
constexpr int block_rows = 8;

unsigned blocks(int count, int block) { return static_cast<unsigned>((count + block - 1) / block); }

void attempt(lesson::Attempt<BatchBias>& attempt) {
  const int batches = attempt.size()[0];
  const int rows = attempt.size()[1];
  const int columns = attempt.size()[2];
  const std::vector<float> x = lesson::uniform_numbers(attempt.size().elements(), 31);
  const std::vector<float> bias = lesson::uniform_numbers(columns, 32);
  std::vector<double> expected(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) expected[i] = double{x[i]} + bias[i % columns];
  const float* device_x = attempt.input("x", x);
  const float* device_bias = attempt.input("bias", bias);
  // One addition, correctly rounded.
  float* y = attempt.output("y", expected, {.absolute = 0x1p-149, .relative = 0x1p-24}, columns);
  attempt.launch({.grid = {blocks(columns, block_columns), blocks(rows, block_rows),
                           static_cast<unsigned>(batches)},
                  .block = {block_columns, block_rows}},
                 device_x, device_bias, y, batches, rows, columns);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{4, 64, 48};
  const double sectors = static_cast<double>(last.elements()) / 8;
  return lesson::check_exercise<BatchBias>(
      argc, argv,
      {.kernel = "batch_bias",
       .sizes = {{1, 5, 9}, {2, 9, 5}, {3, 33, 20}, {1, 1, 1}, {2, 40, 7}, last},
       .budget = 20'000'000,
       .far_budget = 2'000'000'000,
       .lesson = "chapters/ch01_programming_model/README.md, \"Threads, blocks, grid\"",
       .gates = {{.name = "loads",
                  .what = "sectors loaded for each 8 elements, of x and of bias",
                  .access = "global load",
                  .measure = lesson::Measure::sectors,
                  .per = sectors,
                  .at_least = 1,
                  .at_most = 2},
                 {.name = "stores",
                  .what = "sectors stored for each 8 elements",
                  .access = "global store",
                  .measure = lesson::Measure::sectors,
                  .per = sectors,
                  .at_least = 1,
                  .at_most = 1,
                  .mistake = "one_thread_per_row"},
                 {.name = "threads",
                  .what = "threads that store an element",
                  .access = "global store",
                  .measure = lesson::Measure::threads,
                  .at_least = static_cast<double>(last.elements()),
                  .mistake = "one_block",
                  .array = "y"}},
       .author_test = {{2, 16, 16}, {4, 64, 64}},
       .beyond = {{1, 3, 70001}, {1, 70001, 3}, {5001, 3, 2}},
       .full = {32, 1024, 1024}},
      attempt);
}
