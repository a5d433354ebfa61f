/// \file
/// Checks exercise 03_pixel_planes: pixels in, planes out.
#include <vector>

#include "base/numbers.h"
#include "check/exercise.h"

namespace lesson = warpwise::lesson;

namespace {

/// @pre blocks of 128 threads, one thread for each pixel.
using PixelPlanes = void(const float* pixels, float* planes, int n);

constexpr int channels = 4;
constexpr int colours = 3;

void attempt(lesson::Attempt<PixelPlanes>& attempt) {
  constexpr int block_threads = 128;
  const int n = attempt.size()[0];
  const std::vector<float> host = lesson::uniform_numbers(static_cast<std::size_t>(n) * channels);
  std::vector<double> expected(static_cast<std::size_t>(n) * colours);
  for (int colour = 0; colour < colours; ++colour) {
    for (int i = 0; i < n; ++i) {
      const float* pixel = &host[static_cast<std::size_t>(i) * channels];
      expected[static_cast<std::size_t>(colour) * n + i] =
          static_cast<double>(pixel[colour]) * pixel[channels - 1];
    }
  }
  const float* pixels = attempt.input("pixels", host);
  // One product, correctly rounded.
  float* planes =
      attempt.output("planes", expected, {.absolute = 0x1p-149, .relative = 0x1p-24}, n);
  attempt.launch({.grid = lesson::ceil_div(n, block_threads), .block = block_threads}, pixels,
                 planes, n);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{1 << 13};
  const double warps = static_cast<double>(last.elements()) / 32;
  return lesson::check_exercise<PixelPlanes>(
      argc, argv,
      {.kernel = "pixel_planes",
       .sizes = {{7}, {33}, {1000}, {1}, {129}, last},
       .budget = 20'000'000,
       .lesson = "chapters/ch02_coalescing/README.md, \"Structures of arrays\"",
       .gates = {{.name = "sectors",
                  .what = "sectors loaded for each 32 pixels",
                  .access = "global load",
                  .measure = lesson::Measure::sectors,
                  .per = warps,
                  .at_least = 16,
                  .at_most = 16,
                  .mistake = "field_by_field"},
                 {.name = "stores",
                  .what = "sectors stored for each 32 pixels",
                  .access = "global store",
                  .measure = lesson::Measure::sectors,
                  .per = warps,
                  .at_least = 12,
                  .at_most = 12,
                  .mistake = "chunk_a_thread"},
                 {.name = "share",
                  .what = "stores of the thread that makes most of them",
                  .access = "global store",
                  .measure = lesson::Measure::most_of_thread,
                  .at_least = 1,
                  .at_most = 3,
                  .mistake = "half_of_the_block",
                  .array = "planes"}},
       .beyond = {{40009}},
       .full = {1 << 23}},
      attempt);
}
