/// \file
/// Checks exercise 07_pick_rows: a gather of rows, some of them missing.
#include <algorithm>
#include <vector>

#include "base/numbers.h"
#include "check/exercise.h"

namespace lesson = warpwise::lesson;

namespace {

/// @pre blocks of 128 threads, one block for each row of y.
using PickRows = void(const float* table, const int* index, float* y, int rows, int columns);

constexpr int table_rows = 37;

/// Every fifth row is missing, and so is the last.
std::vector<int> numbers_of_rows(int rows) {
  std::vector<int> index = lesson::uniform_indices(rows, table_rows, 3);
  for (int row = 3; row < rows; row += 5) index[row] = -1;
  if (rows > 1) index.back() = -1;
  return index;
}

void attempt(lesson::Attempt<PickRows>& attempt) {
  const int rows = attempt.size()[0];
  const int columns = attempt.size()[1];
  const std::vector<float> table_host =
      lesson::uniform_numbers(static_cast<std::size_t>(table_rows) * columns);
  const std::vector<int> index_host = numbers_of_rows(rows);
  std::vector<double> expected(attempt.size().elements());
  for (int row = 0; row < rows; ++row) {
    if (index_host[row] < 0) continue;
    std::copy_n(table_host.begin() + static_cast<std::ptrdiff_t>(index_host[row]) * columns,
                columns, expected.begin() + static_cast<std::ptrdiff_t>(row) * columns);
  }
  const float* table = attempt.input("table", table_host);
  const int* index = attempt.input("index", index_host);
  float* y = attempt.output("y", expected, {}, columns);
  attempt.launch({.grid = rows, .block = 128}, table, index, y, rows, columns);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{200, 512};
  const double rows = last[0];
  const std::vector<int> index = numbers_of_rows(last[0]);
  const auto present =
      static_cast<double>(std::count_if(index.begin(), index.end(), [](int i) { return i >= 0; }));
  // 512 floats are 64 sectors. Each of the four warps may ask for the row's number in each of its
  // four turns: 16 sectors more.
  return lesson::check_exercise<PickRows>(
      argc, argv,
      {.kernel = "pick_rows",
       .sizes = {{7, 33}, {9, 1000}, {5, 127}, {6, 129}, {1, 1}, last},
       .budget = 20'000'000,
       .lesson = "chapters/ch02_coalescing/README.md, \"Rows by number\"",
       .gates = {{.name = "sectors",
                  .what = "sectors loaded for each row of 512 floats that is there",
                  .access = "global load",
                  .measure = lesson::Measure::sectors,
                  .per = present,
                  .at_least = 64,
                  .at_most = 64 + 16 * rows / present,
                  .mistake = "chunk_a_thread"},
                 {.name = "stores",
                  .what = "sectors stored for each row of 512 floats",
                  .access = "global store",
                  .measure = lesson::Measure::sectors,
                  .per = rows,
                  .at_least = 64,
                  .at_most = 64,
                  .mistake = "chunk_a_thread"},
                 {.name = "share",
                  .what = "stores of the thread that makes most of them",
                  .access = "global store",
                  .measure = lesson::Measure::most_of_thread,
                  .at_least = 1,
                  .at_most = 4,
                  .mistake = "one_block",
                  .array = "y"}},
       .beyond = {{3, 5003}, {1031, 2}},
       .full = {1 << 15, 1024}},
      attempt);
}
