/// \file
/// Checks exercise 03_shared_diet: largest minus smallest of each segment, at full occupancy.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/numbers.h"
#include "check/exercise.h"

namespace lesson = warpwise::lesson;

namespace {

/// @pre length <= 8192; blocks of 128 threads, one for each segment.
using Spread = void(const float* x, float* y, int length);

/// All numbers of a segment on one side of zero, and its extremes anywhere. Two segments of four
/// are larger, and smaller, than whatever number an extreme may begin with.
std::vector<float> input(int segments, int length) {
  std::vector<float> x;
  lesson::RandomBits bits(lesson::seeded(11));
  for (int segment = 0; segment < segments; ++segment) {
    const float middle = segment % 2 == 0 ? 7.0F : -9.0F;
    const float scale = segment % 4 < 2 ? 1.0F : 0x1p100F;
    for (int i = 0; i < length; ++i) {
      x.push_back((middle + bits.fraction()) * scale);
    }
    // The last number is the largest of the even segments, the smallest of the odd ones.
    x.back() = (segment % 2 == 0 ? 8.5F : -9.5F) * scale;
  }
  return x;
}

std::vector<double> reference(const std::vector<float>& x, int length) {
  std::vector<double> y;
  for (std::size_t begin = 0; begin < x.size(); begin += length) {
    const auto first = x.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto [smallest, largest] = std::minmax_element(first, first + length);
    y.push_back(static_cast<double>(*largest) - *smallest);
  }
  return y;
}

/// Size: segments, their length.
void attempt(lesson::Attempt<Spread>& attempt) {
  const int segments = attempt.size()[0], length = attempt.size()[1];
  const std::vector<float> host = input(segments, length);
  const float* x = attempt.input("x", host);
  float* y = attempt.output("y", reference(host, length), {.relative = 0x1p-22});
  attempt.launch({.grid = segments, .block = 128}, x, y, length);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{16, 8192};
  const double segments = last[0];
  // 8192 floats are 1024 sectors, read once; one more to begin with is allowed to each warp.
  return lesson::check_exercise<Spread>(
      argc, argv,
      {.kernel = "spread",
       .sizes = {{3, 1}, {2, 31}, {2, 100}, {4, 127}, {2, 129}, {2, 1000}, {1, 8191}, last},
       .budget = 40'000'000,
       .far_budget = 2'000'000'000,
       .lesson = "chapters/ch04_occupancy/README.md, \"Four limits\"",
       .gates = {{.name = "warps",
                  .what = "resident warps of an SM",
                  .measure = lesson::Measure::resident_warps,
                  .at_least = 64,
                  .mistake = "staged"},
                 {.name = "sectors",
                  .what = "sectors loaded for each segment of 8192 floats",
                  .access = "global load",
                  .measure = lesson::Measure::sectors,
                  .per = segments,
                  .at_least = 1024,
                  .at_most = 2080,
                  .mistake = "neighbours"},
                 {.name = "registers",
                  .what = "bytes of a thread's arrays that are not in registers",
                  .measure = lesson::Measure::local_bytes,
                  .at_most = 0,
                  .mistake = "local_array"},
                 {.name = "workers",
                  .what = "warps that load numbers of x",
                  .access = "global load",
                  .measure = lesson::Measure::warps,
                  .at_least = 4 * segments,
                  .mistake = "only_one_warp",
                  .array = "x"}},
       .beyond = {{33001, 1}},
       .full = {4096, 8192}},
      attempt);
}
