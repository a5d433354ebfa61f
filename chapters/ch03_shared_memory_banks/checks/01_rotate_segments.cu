/// \file
/// Checks exercise 01_rotate_segments: one barrier, and a last segment that is shorter.
#include <algorithm>
#include <limits>
#include <vector>

#include "base/numbers.h"
#include "check/exercise.h"

namespace lesson = warpwise::lesson;

namespace {

/// @pre blocks of 256 threads, one for each segment.
using RotateSegments = void(const float* x, float* y, int n, int shift);

constexpr int segment = 256;

/// size: n x shift.
void attempt(lesson::Attempt<RotateSegments>& attempt) {
  const int n = attempt.size()[0];
  const int shift = attempt.size()[1];
  const std::vector<float> host = lesson::uniform_numbers(n);
  std::vector<double> expected(n);
  for (int begin = 0; begin < n; begin += segment) {
    const int m = std::min(segment, n - begin);
    for (int j = 0; j < m; ++j) expected[begin + j] = host[begin + (j + shift % m) % m];
  }
  const float* x = attempt.input("x", host);
  float* y = attempt.output("y", expected, {});
  attempt.launch({.grid = lesson::ceil_div(n, segment), .block = segment}, x, y, n, shift);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{8192, 37};
  // A thread's number and this shift together are more than an int holds.
  constexpr int largest = std::numeric_limits<int>::max();
  const double warps = static_cast<double>(last[0]) / 32;
  const auto whole_sectors = [=](const char* name, const char* what, const char* access) {
    return lesson::Gate{.name = name,
                        .what = what,
                        .access = access,
                        .measure = lesson::Measure::sectors,
                        .per = warps,
                        .at_least = 4,
                        .at_most = 4,
                        .mistake = "straight_from_global"};
  };
  return lesson::check_exercise<RotateSegments>(
      argc, argv,
      {.kernel = "rotate_segments",
       .sizes =
           {{300, 5}, {256, 1}, {1, 7}, {511, 255}, {1000, 300}, {33, 1000}, {300, largest}, last},
       .budget = 20'000'000,
       .lesson = "chapters/ch03_shared_memory_banks/README.md, \"A barrier\"",
       .gates = {whole_sectors("sectors", "sectors loaded for each 32 numbers", "global load"),
                 whole_sectors("stores", "sectors stored for each 32 numbers", "global store"),
                 {.name = "shared",
                  .what = "accesses to shared memory for each 32 numbers",
                  .access = "shared",
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
       .beyond = {{40009, 11}},
       .full = {1 << 25, 37}},
      attempt);
}
