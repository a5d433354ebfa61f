/// \file
/// Checks exercise 06_distance_sums: a tile that all threads use, and two barriers.
#include <cmath>
#include <vector>

#include "base/numbers.h"
#include "check/exercise.h"

namespace lesson = warpwise::lesson;

namespace {

/// @pre blocks of 256 threads, one thread for each point.
using DistanceSums = void(const float* x, const float* p, float* y, int n, int m);

constexpr int block_threads = 256;

/// size: n x m.
void attempt(lesson::Attempt<DistanceSums>& attempt) {
  const int n = attempt.size()[0];
  const int m = attempt.size()[1];
  const std::vector<float> x_host = lesson::uniform_numbers(n, 1);
  const std::vector<float> p_host = lesson::uniform_numbers(m, 2);
  std::vector<double> expected(n);
  for (int i = 0; i < n; ++i) {
    for (float place : p_host) expected[i] += std::fabs(static_cast<double>(x_host[i]) - place);
  }
  const float* x = attempt.input("x", x_host);
  const float* p = attempt.input("p", p_host);
  // m roundings of a sum that grows to about m.
  float* y = attempt.output("y", expected, {.absolute = 1e-6, .relative = 0x1p-24 * m});
  attempt.launch({.grid = lesson::ceil_div(n, block_threads), .block = block_threads}, x, p, y, n,
                 m);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{512, 768};
  const double blocks = static_cast<double>(last[0]) / block_threads;
  const double requests = (block_threads + last[1]) / 32.0;
  return lesson::check_exercise<DistanceSums>(
      argc, argv,
      {.kernel = "distance_sums",
       .sizes = {{300, 300}, {256, 100}, {1, 1}, {7, 513}, {257, 256}, {1000, 3}, last},
       .budget = 40'000'000,
       .lesson = "chapters/ch03_shared_memory_banks/README.md, \"A tile used many times\"",
       // Eight requests for the block's points and one for each 32 places.
       .gates = {{.name = "requests",
                  .what = "load requests for each block of 256 points",
                  .access = "global load",
                  .measure = lesson::Measure::requests,
                  .per = blocks,
                  .at_least = requests / 4,
                  .at_most = requests,
                  .mistake = "straight_from_global"},
                 {.name = "shared",
                  .what = "loads from shared memory for each block of 256 points",
                  .access = "shared load",
                  .measure = lesson::Measure::requests,
                  .per = blocks,
                  .at_least = 8.0 * last[1] / 4},
                 {.name = "conflicts",
                  .what = "bank conflicts for each block of 256 points",
                  .access = "shared",
                  .measure = lesson::Measure::bank_conflicts,
                  .per = blocks,
                  .at_most = 0},
                 {.name = "threads",
                  .what = "threads that store an element",
                  .access = "global store",
                  .measure = lesson::Measure::threads,
                  .at_least = static_cast<double>(last[0]),
                  .mistake = "half_of_the_block",
                  .array = "y"}},
       .beyond = {{5, 9001}, {40009, 2}},
       .full = {1 << 18, 2048},
       .needs =
           [](const lesson::Size& size) { return lesson::Needs{.flops = 2.0 * size.elements()}; }},
      attempt);
}
