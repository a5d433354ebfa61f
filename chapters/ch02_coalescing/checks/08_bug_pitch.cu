/// \file
/// Checks exercise 08_bug_pitch: rows of a padded matrix, doubled into a dense one.
#include <limits>
#include <vector>

#include "base/numbers.h"
#include "check/exercise.h"

namespace lesson = warpwise::lesson;

namespace {

/// x rows that begin `pitch` bytes apart, y dense and row-major; device. @pre blocks of (32, 8)
/// threads, blockIdx.x along the columns, blockIdx.y along the rows.
using DoubleRows = void(const float* x, std::size_t pitch, float* y, int rows, int columns);

constexpr int block_columns = 32;
constexpr int block_rows = 8;

unsigned blocks(int count, int block) { return static_cast<unsigned>((count + block - 1) / block); }

void attempt(lesson::Attempt<DoubleRows>& attempt) {
  const int rows = attempt.size()[0];
  const int columns = attempt.size()[1];
  const std::size_t pitch = attempt.size()[2];
  const std::size_t step = pitch / sizeof(float);
  // As cudaMallocPitch gives them: what is after a row belongs to no row.
  std::vector<float> x(step * rows, std::numeric_limits<float>::quiet_NaN());
  const std::vector<float> numbers =
      lesson::uniform_numbers(static_cast<std::size_t>(rows) * columns, 35);
  std::vector<double> expected(numbers.size());
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      const std::size_t dense = static_cast<std::size_t>(row) * columns + column;
      x[row * step + column] = numbers[dense];
      expected[dense] = 2 * double{numbers[dense]};
    }
  }
  const float* device_x = attempt.input("x", x);
  float* y = attempt.output("y", expected, {.absolute = 0x1p-149}, columns);
  attempt.launch({.grid = {blocks(columns, block_columns), blocks(rows, block_rows)},
                  .block = {block_columns, block_rows}},
                 device_x, pitch, y, rows, columns);
}

}  // namespace

int main(int argc, char** argv) {
  // Rows, columns, bytes from one row to the next.
  const lesson::Size last{64, 257, 1536};
  const double requests = last[0] * 9.0;  // 257 numbers, 32 per request.
  return lesson::check_exercise<DoubleRows>(
      argc, argv,
      {.kernel = "double_rows",
       .sizes = {{2, 100, 512}, {10, 100, 512}, {1, 1, 512}, {33, 31, 128}, {5, 128, 512}, last},
       .budget = 20'000'000,
       .far_budget = 2'000'000'000,
       .lesson = "chapters/ch02_coalescing/README.md, \"The idea\"",
       .gates = {{.name = "loads",
                  .what = "load requests for each 32 columns of a row",
                  .access = "global load",
                  .measure = lesson::Measure::requests,
                  .per = requests,
                  .at_least = 1,
                  .at_most = 1},
                 {.name = "sectors",
                  .what = "sectors loaded for each 32 columns of a row",
                  .access = "global load",
                  .measure = lesson::Measure::sectors,
                  .per = requests,
                  .at_least = 3,
                  .at_most = 4,
                  .mistake = "columns_of_threads"},
                 {.name = "threads",
                  .what = "threads that store a number",
                  .access = "global store",
                  .measure = lesson::Measure::threads,
                  .at_least = static_cast<double>(last[0]) * last[1],
                  .mistake = "one_block",
                  .array = "y"}},
       .author_test = {{1, 128, 512}, {1, 1000, 4096}},
       .beyond = {{3, 70001, 280576}, {70001, 3, 512}},
       .full = {8192, 4096, 16384}},
      attempt);
}
