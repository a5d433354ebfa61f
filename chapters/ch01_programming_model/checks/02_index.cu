/// \file
/// Checks exercise 02_index: the square of each element, a thread for each.
#include <vector>

#include "base/numbers.h"
#include "check/exercise.h"

namespace lesson = warpwise::lesson;

namespace {

/// Device. @pre n is a multiple of 64; blocks of 64 threads, n / 64 of them.
using Square = void(const float* x, float* y, int n);

void attempt(lesson::Attempt<Square>& attempt) {
  constexpr int block_threads = 64;
  const int n = attempt.size()[0];
  const std::vector<float> host = lesson::uniform_numbers(n);
  std::vector<double> expected(n);
  for (int i = 0; i < n; ++i) expected[i] = static_cast<double>(host[i]) * host[i];
  const float* x = attempt.input("x", host);
  // One product, correctly rounded.
  float* y = attempt.output("y", expected, {.absolute = 0x1p-149, .relative = 0x1p-24});
  attempt.launch({.grid = n / block_threads, .block = block_threads}, x, y, n);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{64 * 13};
  // 32 floats are 4 sectors.
  const double warps = last[0] / 32.0;
  return lesson::check_exercise<Square>(
      argc, argv,
      {.kernel = "square",
       .sizes = {{64}, {128}, {64 * 5}, last},
       .budget = 20'000'000,
       .lesson = "chapters/ch01_programming_model/README.md, \"Threads, blocks, grid\"",
       .gates = {{.name = "stores",
                  .what = "sectors stored for each 32 elements",
                  .access = "global store",
                  .measure = lesson::Measure::sectors,
                  .per = warps,
                  .at_least = 4,
                  .at_most = 4,
                  .mistake = "one_thread"},
                 {.name = "threads",
                  .what = "threads that store an element",
                  .access = "global store",
                  .measure = lesson::Measure::threads,
                  .at_least = static_cast<double>(last[0]),
                  .mistake = "one_block",
                  .array = "y"}},
       .beyond = {{64 * 1031}},
       .full = {1 << 25}},
      attempt);
}
