/// \file
/// Checks exercise 02_widest_neighbour: a stencil with a halo.
#include <algorithm>
#include <vector>

#include "base/numbers.h"
#include "check/exercise.h"

namespace lesson = warpwise::lesson;

namespace {

/// @pre blocks of 256 threads, one thread for each number.
using WidestNeighbour = void(const float* x, float* y, int n);

void attempt(lesson::Attempt<WidestNeighbour>& attempt) {
  constexpr int block_threads = 256;
  const int n = attempt.size()[0];
  std::vector<float> host = lesson::uniform_numbers(n);
  // All below zero: a maximum that begins with 0 gives itself away.
  for (float& value : host) value -= 2;
  // The ends are the largest of an even count: who leaves one out is seen. So is who takes one for
  // the other where only one of them is.
  if (n % 4 != 3) host.front() = -0.5F;
  if (n % 4 != 1) host.back() = -0.5F;
  // Below whatever number a maximum may begin with, but for the least of all.
  if (n % 1000 == 0) {
    for (float& value : host) value *= 0x1p100F;
  }
  std::vector<double> expected(n);
  for (int i = 0; i < n; ++i) {
    expected[i] = host[i];
    for (int d = -2; d <= 2; ++d) {
      expected[i] = std::max(expected[i], static_cast<double>(host[std::clamp(i + d, 0, n - 1)]));
    }
  }
  const float* x = attempt.input("x", host);
  float* y = attempt.output("y", expected, {});
  attempt.launch({.grid = lesson::ceil_div(n, block_threads), .block = block_threads}, x, y, n);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{1 << 13};
  const double warps = static_cast<double>(last[0]) / 32;
  return lesson::check_exercise<WidestNeighbour>(
      argc, argv,
      {.kernel = "widest_neighbour",
       .sizes = {{300}, {255}, {257}, {1}, {2}, {258}, {1000}, last},
       .budget = 20'000'000,
       .lesson = "chapters/ch03_shared_memory_banks/README.md, \"A tile with a halo\"",
       // A tile that begins two numbers before a sector: five sectors a warp, and the halo.
       .gates = {{.name = "sectors",
                  .what = "sectors loaded for each 32 numbers",
                  .access = "global load",
                  .measure = lesson::Measure::sectors,
                  .per = warps,
                  .at_least = 4,
                  .at_most = 6,
                  .mistake = "five_loads"},
                 {.name = "shared",
                  .what = "loads from shared memory for each 32 numbers",
                  .access = "shared load",
                  .measure = lesson::Measure::requests,
                  .per = warps,
                  .at_least = 2},
                 {.name = "threads",
                  .what = "threads that store an element",
                  .access = "global store",
                  .measure = lesson::Measure::threads,
                  .at_least = static_cast<double>(last[0]),
                  .mistake = "half_of_the_block",
                  .array = "y"}},
       .beyond = {{40009}},
       .full = {1 << 25}},
      attempt);
}
