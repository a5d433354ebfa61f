/// \file
/// Checks exercise 03_guard: each element's distance to its right neighbour, at any length.
#include <vector>

#include "base/numbers.h"
#include "check/exercise.h"

namespace lesson = warpwise::lesson;

namespace {

/// Device, n floats. @pre blocks of 128 threads, n / 128 of them, rounded up.
using Steps = void(const float* x, float* y, int n);

void attempt(lesson::Attempt<Steps>& attempt) {
  constexpr int block_threads = 128;
  const int n = attempt.size()[0];
  const std::vector<float> host = lesson::uniform_numbers(n);
  std::vector<double> expected(n, 0.0);
  for (int i = 0; i + 1 < n; ++i) expected[i] = static_cast<double>(host[i + 1]) - host[i];
  const float* x = attempt.input("x", host);
  // One difference, correctly rounded.
  float* y = attempt.output("y", expected, {.absolute = 0, .relative = 0x1p-24});
  attempt.launch({.grid = lesson::ceil_div(n, block_threads), .block = block_threads}, x, y, n);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{128 * 16};
  // 32 floats are 4 sectors; a fifth where a thread stores the element before its own.
  const double warps = last[0] / 32.0;
  return lesson::check_exercise<Steps>(
      argc, argv,
      {.kernel = "steps",
       .sizes = {{1}, {2}, {31}, {127}, {128}, {129}, {1009}, last},
       .budget = 20'000'000,
       .lesson = "chapters/ch01_programming_model/README.md, \"More threads than elements\"",
       .gates = {{.name = "stores",
                  .what = "sectors stored for each 32 elements",
                  .access = "global store",
                  .measure = lesson::Measure::sectors,
                  .per = warps,
                  .at_least = 4,
                  .at_most = 5,
                  .mistake = "one_thread"},
                 {.name = "threads",
                  .what = "threads that store an element",
                  .access = "global store",
                  .measure = lesson::Measure::threads,
                  .at_least = last[0] - 1.0,
                  .mistake = "one_block",
                  .array = "y"}},
       .beyond = {{66047}},
       .full = {1 << 25}},
      attempt);
}
