/// \file
/// Checks exercise 04_conjugate_pairs: two arrays become one of pairs.
#include <vector>

#include "base/numbers.h"
#include "check/exercise.h"

namespace lesson = warpwise::lesson;

namespace {

/// @pre blocks of 256 threads, one thread for each complex number.
using ConjugatePairs = void(const float* real, const float* imaginary, float* y, int n);

void attempt(lesson::Attempt<ConjugatePairs>& attempt) {
  constexpr int block_threads = 256;
  const int n = attempt.size()[0];
  const std::vector<float> real_host = lesson::uniform_numbers(n, 1);
  const std::vector<float> imaginary_host = lesson::uniform_numbers(n, 2);
  std::vector<double> expected(static_cast<std::size_t>(n) * 2);
  for (int i = 0; i < n; ++i) {
    expected[2 * static_cast<std::size_t>(i)] = real_host[i];
    expected[2 * static_cast<std::size_t>(i) + 1] = -static_cast<double>(imaginary_host[i]);
  }
  const float* real = attempt.input("real", real_host);
  const float* imaginary = attempt.input("imaginary", imaginary_host);
  float* y = attempt.output("y", expected, {}, 2);
  attempt.launch({.grid = lesson::ceil_div(n, block_threads), .block = block_threads}, real,
                 imaginary, y, n);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{1 << 13};
  const double warps = static_cast<double>(last.elements()) / 32;
  return lesson::check_exercise<ConjugatePairs>(
      argc, argv,
      {.kernel = "conjugate_pairs",
       .sizes = {{7}, {33}, {1000}, {1}, {257}, last},
       .budget = 20'000'000,
       .lesson = "chapters/ch02_coalescing/README.md, \"Structures of arrays\"",
       .gates = {{.name = "sectors",
                  .what = "sectors loaded for each 32 complex numbers",
                  .access = "global load",
                  .measure = lesson::Measure::sectors,
                  .per = warps,
                  .at_least = 8,
                  .at_most = 8},
                 {.name = "stores",
                  .what = "sectors stored for each 32 complex numbers",
                  .access = "global store",
                  .measure = lesson::Measure::sectors,
                  .per = warps,
                  .at_least = 8,
                  .at_most = 8,
                  .mistake = "part_by_part"},
                 {.name = "threads",
                  .what = "threads that store an element",
                  .access = "global store",
                  .measure = lesson::Measure::threads,
                  .at_least = static_cast<double>(last[0]),
                  .mistake = "half_of_the_block",
                  .array = "y"}},
       .beyond = {{40009}},
       .full = {1 << 24}},
      attempt);
}
