/// \file
/// Checks exercise 10_two_by_two: squared distances of all pairs of rows, four results per thread.
#include <cmath>
#include <vector>

#include "base/numbers.h"
#include "check/exercise.h"

namespace lesson = warpwise::lesson;

namespace {

/// a m rows, b n rows, of `length` numbers each, y m by n, row-major, device. @pre blocks of
/// (16, 16) threads for 32 x 32 results, blockIdx.x along the rows of b.
using Distances = void(const float* a, const float* b, float* y, int m, int n, int length);

constexpr int tile = 32;

unsigned blocks(int count) { return static_cast<unsigned>(lesson::ceil_div(count, tile)); }

/// Multiples of 1/4: all sums are exact, in any order.
std::vector<float> coarse_rows(int rows, int length, unsigned seed) {
  std::vector<float> numbers =
      lesson::uniform_numbers(static_cast<std::size_t>(rows) * length, seed);
  for (float& number : numbers) number = std::floor(number * 4) / 4;
  return numbers;
}

/// Size: m, n, length.
void attempt(lesson::Attempt<Distances>& attempt) {
  const int m = attempt.size()[0], n = attempt.size()[1], length = attempt.size()[2];
  const std::vector<float> a = coarse_rows(m, length, 41), b = coarse_rows(n, length, 42);
  std::vector<double> expected(static_cast<std::size_t>(m) * n, 0);
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      double& sum = expected[static_cast<std::size_t>(i) * n + j];
      for (int k = 0; k < length; ++k) {
        const double difference = double{a[static_cast<std::size_t>(i) * length + k]} -
                                  b[static_cast<std::size_t>(j) * length + k];
        sum += difference * difference;
      }
    }
  }
  const float* device_a = attempt.input("a", a);
  const float* device_b = attempt.input("b", b);
  float* y = attempt.output("y", expected, {.absolute = 0x1p-149}, n);
  attempt.launch({.grid = {blocks(n), blocks(m)}, .block = {16, 16}}, device_a, device_b, y, m, n,
                 length);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{64, 64, 64};
  const double products = 64.0 * 64 * 64 / 32;
  // Two numbers of a and of b for each thread, 4 tiles of 16 in 4 blocks of 8 warps.
  const double requests = 4 * 4 * 4 * 8;
  return lesson::check_exercise<Distances>(
      argc, argv,
      {.kernel = "distances",
       .sizes = {{33, 31, 17}, {1, 1, 1}, {65, 70, 40}, {40, 100, 300}, {16, 17, 15}, last},
       .budget = 200'000'000,
       .far_budget = 2'000'000'000,
       .lesson = "chapters/ch04_occupancy/README.md, \"A kernel faster at lower occupancy\"",
       .gates = {{.name = "wavefronts",
                  .what = "wavefronts of shared loads for each 32 products",
                  .access = "shared load",
                  .measure = lesson::Measure::wavefronts,
                  .per = products,
                  .at_least = 0.25,
                  .at_most = 1,
                  .mistake = "one_after_another",
                  .announced = "at most one shared wavefront per 32 products"},
                 {.name = "conflicts",
                  .what = "bank conflicts of shared stores, per request",
                  .access = "shared store",
                  .measure = lesson::Measure::bank_conflicts,
                  .per = requests,
                  .at_most = 1,
                  .mistake = "pitch_32"},
                 {.name = "loads",
                  .what = "load requests for each number that a thread brings to the tiles",
                  .access = "global load",
                  .measure = lesson::Measure::requests,
                  .per = requests,
                  .at_least = 0.25,
                  .at_most = 1,
                  .mistake = "no_tile"},
                 {.name = "stores",
                  .what = "sectors stored for each 8 results",
                  .access = "global store",
                  .measure = lesson::Measure::sectors,
                  .per = 64 * 64 / 8.0,
                  .at_least = 1,
                  .at_most = 1,
                  .mistake = "neighbours"},
                 {.name = "registers",
                  .what = "bytes of a thread's arrays that are not in registers",
                  .measure = lesson::Measure::local_bytes,
                  .at_most = 0,
                  .mistake = "indexed"},
                 {.name = "threads",
                  .what = "threads that store results",
                  .access = "global store",
                  .measure = lesson::Measure::threads,
                  .at_least = 4.0 * 256,
                  .mistake = "one_block",
                  .array = "y"}},
       .beyond = {{20001, 2, 1}, {2, 20001, 1}, {1, 2, 70001}},
       .full = {1024, 1024, 256},
       .needs =
           [](const lesson::Size& size) { return lesson::Needs{.flops = 3.0 * size.elements()}; }},
      attempt);
}
