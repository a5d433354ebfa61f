/// \file
/// Checks exercise 05_swizzle_pairs: a transpose of 8-byte elements, with a tile that has no
/// padding.
#include <vector>

#include "base/numbers.h"
#include "check/exercise.h"

namespace lesson = warpwise::lesson;

namespace {

/// @pre blocks of (32, 8) threads, one for each tile of 32 x 32, with 8192 bytes of dynamic shared
/// memory.
using TransposePairs = void(const float2* x, float2* y, int rows, int columns);

void attempt(lesson::Attempt<TransposePairs>& attempt) {
  const int rows = attempt.size()[0];
  const int columns = attempt.size()[1];
  const std::vector<float> host = lesson::uniform_numbers(2 * attempt.size().elements());
  std::vector<double> expected(host.size());
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      const std::size_t from = 2 * (static_cast<std::size_t>(row) * columns + column);
      const std::size_t to = 2 * (static_cast<std::size_t>(column) * rows + row);
      expected[to] = host[from];
      expected[to + 1] = host[from + 1];
    }
  }
  const float* x = attempt.input("x", host);
  float* y = attempt.output("y", expected, {}, 2 * static_cast<std::size_t>(rows));
  attempt.launch({.grid = dim3(lesson::ceil_div(columns, 32), lesson::ceil_div(rows, 32)),
                  .block = {32, 8},
                  .shared_bytes = 32 * 32 * sizeof(float2)},
                 reinterpret_cast<const float2*>(x), reinterpret_cast<float2*>(y), rows, columns);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{64, 64};
  const double rows_of_tiles = static_cast<double>(last.elements()) / 32;
  return lesson::check_exercise<TransposePairs>(
      argc, argv,
      {.kernel = "transpose_pairs",
       .sizes = {{33, 31}, {32, 32}, {1, 1}, {5, 100}, {65, 7}, last},
       .budget = 20'000'000,
       .far_budget = 2'000'000'000,
       .lesson = "chapters/ch03_shared_memory_banks/README.md, \"Wide words\"",
       // 32 elements are 256 bytes.
       .gates =
           {{.name = "stores",
             .what = "sectors stored for each row of 32 elements",
             .access = "global store",
             .measure = lesson::Measure::sectors,
             .per = rows_of_tiles,
             .at_least = 8,
             .at_most = 8,
             .mistake = "straight_through"},
            // 256 bytes in and out are two wavefronts each: in pairs, or as two planes of floats.
            {.name = "shared",
             .what = "wavefronts in shared memory for each row of 32 elements",
             .access = "shared",
             .measure = lesson::Measure::wavefronts,
             .per = rows_of_tiles,
             .at_least = 4,
             .announced = "through shared memory"},
            {.name = "conflicts",
             .what = "bank conflicts for each row of 32 elements",
             .access = "shared",
             .measure = lesson::Measure::bank_conflicts,
             .per = rows_of_tiles,
             .at_most = 0,
             .mistake = "in_rows"},
            {.name = "room",
             .what = "bytes of shared memory besides `tile`",
             .measure = lesson::Measure::own_shared_bytes,
             .at_most = 0,
             .mistake = "own_tile"},
            {.name = "threads",
             .what = "threads that store an element",
             .access = "global store",
             .measure = lesson::Measure::threads,
             .at_least = static_cast<double>(last.elements()) / 4,
             .mistake = "half_of_the_block",
             .array = "y"}},
       .beyond = {{3, 40009}, {40009, 3}},
       .full = {4096, 4096}},
      attempt);
}
