/// \file
/// Checks exercise 07_bug_second_barrier: the distance to the nearest of many places, by tiles.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/numbers.h"
#include "check/exercise.h"

namespace lesson = warpwise::lesson;

namespace {

/// x and y n numbers, places m numbers, device. @pre blocks of 256 threads, one per 256 numbers.
using NearestPlace = void(const float* x, const float* places, float* y, int n, int m);

constexpr int block = 256;

void attempt(lesson::Attempt<NearestPlace>& attempt) {
  const int n = attempt.size()[0];
  const int m = attempt.size()[1];
  const std::vector<float> x = lesson::uniform_numbers(n, 33);
  // Far from x, and each a little nearer than the one before: a place that is lost shows.
  std::vector<float> places = lesson::uniform_numbers(m, 34);
  for (int k = 0; k < m; ++k) places[k] = 4 - places[k] * 0.25F - 2.0F * static_cast<float>(k) / m;
  std::vector<double> expected(n, std::numeric_limits<double>::infinity());
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < m; ++k) {
      expected[i] = std::min(expected[i], std::abs(double{x[i]} - places[k]));
    }
  }
  const float* device_x = attempt.input("x", x);
  const float* device_places = attempt.input("places", places);
  // One subtraction, correctly rounded.
  float* y = attempt.output("y", expected, {.absolute = 0x1p-149, .relative = 0x1p-24});
  attempt.launch({.grid = (n + block - 1) / block, .block = block}, device_x, device_places, y, n,
                 m);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{1000, 600};
  return lesson::check_exercise<NearestPlace>(
      argc, argv,
      {.kernel = "nearest_place",
       .sizes = {{1, 1}, {300, 257}, {256, 3000}, {31, 512}, {513, 33}, last},
       .budget = 40'000'000,
       .far_budget = 2'000'000'000,
       .lesson = "chapters/ch03_shared_memory_banks/README.md, \"A tile used many times\"",
       .gates = {{.name = "loads",
                  .what = "load requests, of x and of places",
                  .access = "global load",
                  .measure = lesson::Measure::requests,
                  .at_least = 64,
                  .at_most = 128,
                  .mistake = "no_tile"},
                 {.name = "room",
                  .what = "shared bytes of a block",
                  .measure = lesson::Measure::own_shared_bytes,
                  .at_least = 4,
                  .at_most = 1024,
                  .mistake = "all_places",
                  .announced = "at most 1,024 bytes of shared memory"},
                 {.name = "threads",
                  .what = "threads that store a distance",
                  .access = "global store",
                  .measure = lesson::Measure::threads,
                  .at_least = static_cast<double>(last[0]),
                  .mistake = "one_block",
                  .array = "y"}},
       .author_test = {{256, 100}, {1000, 256}},
       .beyond = {{70001, 3}, {3, 70001}},
       .full = {1 << 18, 2048},
       .needs =
           [](const lesson::Size& size) { return lesson::Needs{.flops = 2.0 * size.elements()}; }},
      attempt);
}
