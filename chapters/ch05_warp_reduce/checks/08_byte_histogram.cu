/// \file
/// Checks exercise 08_byte_histogram: the bytes of an array, counted in shared memory.
#include <vector>

#include "base/numbers.h"
#include "check/exercise.h"

namespace lesson = warpwise::lesson;

namespace {

/// x n bytes, y 256 numbers for each of 8 blocks, device. @pre blocks of 128 threads.
using ByteHistogram = void(const unsigned char* x, float* y, int n);

constexpr int blocks = 8;
constexpr int threads = 128;

/// Any bytes; at a multiple of 4096, all are 200, so that all threads meet at one counter.
std::vector<unsigned char> input(int n) {
  std::vector<unsigned char> x(n, 200);
  if (n == 4096) return x;
  const std::vector<int> values = lesson::uniform_indices(n, 256, 19);
  for (int i = 0; i < n; ++i) x[i] = static_cast<unsigned char>(values[i]);
  return x;
}

void attempt(lesson::Attempt<ByteHistogram>& attempt) {
  const int n = attempt.size()[0];
  const std::vector<unsigned char> host = input(n);
  std::vector<double> expected(blocks * 256);
  for (int i = 0; i < n; ++i) ++expected[i / threads % blocks * 256 + host[i]];
  const unsigned char* x = attempt.input("x", host);
  // Counts are whole numbers.
  float* y = attempt.output("y", expected, {}, 256);
  attempt.launch({.grid = blocks, .block = threads}, x, y, n);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{16384};
  const double warps = last[0] / 32.0;
  return lesson::check_exercise<ByteHistogram>(
      argc, argv,
      {.kernel = "byte_histogram",
       .sizes = {{127}, {1}, {129}, {4096}, {200003}, last},
       .budget = 40'000'000,
       .far_budget = 2'000'000'000,
       .lesson = "chapters/ch05_warp_reduce/README.md, \"LayerNorm\"",
       .gates = {{.name = "loads",
                  .what = "load requests for each 32 bytes",
                  .access = "global load",
                  .measure = lesson::Measure::requests,
                  .per = warps,
                  .at_least = 0.0625,
                  .at_most = 1,
                  .mistake = "two_passes"},
                 {.name = "atomics",
                  .what = "atomic additions in shared memory for each 32 bytes",
                  .access = "shared atomic",
                  .measure = lesson::Measure::requests,
                  .per = warps,
                  .at_least = 1,
                  .at_most = 1,
                  .announced = "one atomic addition per byte, in shared memory"},
                 {.name = "shared",
                  .what = "loads from shared memory for each block",
                  .access = "shared load",
                  .measure = lesson::Measure::requests,
                  .per = blocks,
                  .at_most = 8,
                  .mistake = "float_counters",
                  .announced = "the counters are loaded once"},
                 {.name = "stores",
                  .what = "sectors stored for each block",
                  .access = "global store",
                  .measure = lesson::Measure::sectors,
                  .per = blocks,
                  .at_least = 32,
                  .at_most = 32},
                 {.name = "workers",
                  .what = "warps that load bytes",
                  .access = "global load",
                  .measure = lesson::Measure::warps,
                  .at_least = blocks * threads / 32.0,
                  .mistake = "first_warp",
                  .array = "x"}},
       .beyond = {{3000017}}},
      attempt);
}
