/// \file
/// Checks exercise 05_whole_warps: a sum and a maximum for each place, by different warps.
#include <algorithm>
#include <vector>

#include "base/numbers.h"
#include "check/exercise.h"

namespace lesson = warpwise::lesson;

namespace {

/// p and q 8 numbers for each place, y two, device. @pre blocks of 256 threads, one for each 128
/// places.
using TwoJobs = void(const float* p, const float* q, float* y, int n);

constexpr int places_per_block = 128;
constexpr int numbers = 8;

void attempt(lesson::Attempt<TwoJobs>& attempt) {
  const int n = attempt.size()[0];
  const std::vector<float> p = lesson::uniform_numbers(numbers * static_cast<std::size_t>(n), 27);
  std::vector<float> q = lesson::uniform_numbers(numbers * static_cast<std::size_t>(n), 28);
  // All below 0: a maximum that begins at 0 shows.
  std::for_each(q.begin(), q.end(), [](float& v) { v -= 2; });
  std::vector<double> expected(2 * static_cast<std::size_t>(n), -4);
  for (int i = 0; i < n; ++i) {
    expected[i] = 0;
    for (int k = 0; k < numbers; ++k) {
      const std::size_t at = static_cast<std::size_t>(k) * n + i;
      expected[i] += p[at];
      expected[n + i] = std::max(expected[n + i], double{q[at]});
    }
  }
  const float* device_p = attempt.input("p", p);
  const float* device_q = attempt.input("q", q);
  // Eight additions of numbers below 1.
  float* y = attempt.output("y", expected, {.absolute = 2e-6}, n);
  attempt.launch({.grid = (n + places_per_block - 1) / places_per_block, .block = 256}, device_p,
                 device_q, y, n);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{4096};
  const double warps = last[0] / 32.0;
  return lesson::check_exercise<TwoJobs>(
      argc, argv,
      {.kernel = "two_jobs",
       .sizes = {{31}, {1}, {127}, {129}, {1000}, {100003}, last},
       .budget = 40'000'000,
       .far_budget = 2'000'000'000,
       .lesson = "chapters/ch01_programming_model/README.md, \"Warps\"",
       .gates = {{.name = "requests",
                  .what = "load requests for both jobs of each 32 places",
                  .access = "global load",
                  .measure = lesson::Measure::requests,
                  .per = warps,
                  .at_least = 16,
                  .at_most = 16,
                  .mistake = "odd_and_even"},
                 {.name = "sectors",
                  .what = "sectors loaded for both jobs of each 32 places",
                  .access = "global load",
                  .measure = lesson::Measure::sectors,
                  .per = warps,
                  .at_least = 64,
                  .at_most = 64},
                 {.name = "stores",
                  .what = "store requests for both results of each 32 places",
                  .access = "global store",
                  .measure = lesson::Measure::requests,
                  .per = warps,
                  .at_least = 2,
                  .at_most = 2,
                  .mistake = "odd_and_even"},
                 {.name = "threads",
                  .what = "threads that store a result",
                  .access = "global store",
                  .measure = lesson::Measure::threads,
                  .at_least = 2.0 * last[0],
                  .mistake = "one_block",
                  .array = "y"}},
       .beyond = {{1000003}},
       .full = {1 << 21}},
      attempt);
}
