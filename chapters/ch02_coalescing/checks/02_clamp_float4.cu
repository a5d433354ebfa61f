/// \file
/// Checks exercise 02_clamp_float4: 16 bytes a thread, and a tail.
#include <algorithm>
#include <vector>

#include "base/numbers.h"
#include "check/exercise.h"

namespace lesson = warpwise::lesson;

namespace {

/// @pre blocks of 256 threads, one thread for each four numbers, rounded up.
using ClampFloat4 = void(const float* x, float* y, int n, float low, float high);

void attempt(lesson::Attempt<ClampFloat4>& attempt) {
  constexpr int block_threads = 256;
  constexpr float low = -0.25F, high = 0.5F;
  const int n = attempt.size()[0];
  const std::vector<float> host = lesson::uniform_numbers(n);
  std::vector<double> expected(n);
  for (int i = 0; i < n; ++i) expected[i] = std::clamp(host[i], low, high);
  const float* x = attempt.input("x", host);
  float* y = attempt.output("y", expected, {});
  const int threads = lesson::ceil_div(n, 4);
  attempt.launch({.grid = lesson::ceil_div(threads, block_threads), .block = block_threads}, x, y,
                 n, low, high);
}

}  // namespace

int main(int argc, char** argv) {
  // Three numbers are left after the last whole pack: a request for each of them, at most.
  const lesson::Size last{(1 << 14) + 3};
  const double packs_of_warps = static_cast<double>(last.elements() / 4) / 32;
  const auto one_request = [=](const char* name, const char* what, const char* access) {
    return lesson::Gate{.name = name,
                        .what = what,
                        .access = access,
                        .measure = lesson::Measure::requests,
                        .per = packs_of_warps,
                        .at_least = 1,
                        .at_most = 1 + 3 / packs_of_warps,
                        .mistake = "four_floats"};
  };
  return lesson::check_exercise<ClampFloat4>(
      argc, argv,
      {.kernel = "clamp_float4",
       .sizes = {{1}, {3}, {5}, {1023}, {1022}, {1025}, {4099}, {10}, last},
       .budget = 20'000'000,
       .lesson = "chapters/ch02_coalescing/README.md, \"Sixteen bytes per thread\"",
       .gates = {one_request("requests", "load requests for each 128 numbers", "global load"),
                 one_request("stores", "store requests for each 128 numbers", "global store"),
                 {.name = "threads",
                  .what = "threads that store an element",
                  .access = "global store",
                  .measure = lesson::Measure::threads,
                  .at_least = 32 * packs_of_warps,
                  .mistake = "half_of_the_block",
                  .array = "y"}},
       .beyond = {{100003}},
       .full = {1 << 25}},
      attempt);
}
