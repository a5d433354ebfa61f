/// \file
/// Checks exercise 06_patch_rows: patches of 8 x 8 pixels as the rows of a matrix.
#include <vector>

#include "base/numbers.h"
#include "check/exercise.h"

namespace lesson = warpwise::lesson;

namespace {

/// images (B, 3, height, width), rows (B * down * across, 192), device, 16 aligned. @pre width % 4
/// == 0; blocks of 128 threads, a thread per four floats of rows.
using PatchRows = void(const float* images, float* rows, int B, int height, int width);

constexpr int side = 8, channels = 3, columns = channels * side * side;

void attempt(lesson::Attempt<PatchRows>& attempt) {
  const int B = attempt.size()[0], height = attempt.size()[1], width = attempt.size()[2];
  const int down = height / side, across = width / side;
  // Each float is different, up to 2^24 of them.
  std::vector<float> images(std::size_t{channels} * B * height * width);
  const std::size_t first = 1 + lesson::seeded(0) % 4096;
  for (std::size_t i = 0; i < images.size(); ++i) images[i] = static_cast<float>(first + i);
  const int patches = B * down * across;
  std::vector<double> expected;
  expected.reserve(std::size_t{columns} * patches);
  for (int patch = 0; patch < patches; ++patch) {
    const int b = patch / (down * across), i = patch / across % down, j = patch % across;
    for (int line = 0; line < channels * side; ++line) {
      const std::size_t channel = std::size_t{channels} * b + line / side;
      const std::size_t row = channel * height + i * side + line % side;
      const float* from = &images[row * width + std::size_t{side} * j];
      expected.insert(expected.end(), from, from + side);
    }
  }
  const float* device_images = attempt.input("images", images);
  float* rows = attempt.output("rows", std::move(expected), {}, columns);
  attempt.launch({.grid = lesson::ceil_div(patches * columns / 4, 128), .block = 128},
                 device_images, rows, B, height, width);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{3, 40, 72};
  // Five patches down and nine across, of 24 lines each; a line is a sector.
  const double lines = 3.0 * 5 * 9 * 24;
  return lesson::check_exercise<PatchRows>(
      argc, argv,
      {.kernel = "patch_rows",
       .sizes = {{1, 8, 8}, {2, 17, 20}, {1, 8, 24}, {1, 31, 8}, {3, 22, 36}, last},
       .budget = 20'000'000,
       .far_budget = 1'000'000'000,
       .lesson = "chapters/ch08_transformer/README.md, \"A picture is 197 words\"",
       .gates = {{.name = "requests",
                  .what = "load requests per 128 floats of rows",
                  .access = "global load",
                  .measure = lesson::Measure::requests,
                  .per = lines / 16,
                  .at_least = 1,
                  .at_most = 1.05,
                  .mistake = "one_float"},
                 {.name = "sectors",
                  .what = "sectors loaded per line of a patch",
                  .access = "global load",
                  .measure = lesson::Measure::sectors,
                  .per = lines,
                  .at_least = 1,
                  .at_most = 1.05,
                  .mistake = "same_place"},
                 {.name = "workers",
                  .what = "threads that store",
                  .access = "global store",
                  .measure = lesson::Measure::threads,
                  .at_least = lines * 2,
                  .array = "rows"}},
       .beyond = {{5003, 8, 8}, {1, 70001, 8}, {1, 8, 70004}},
       .full = {128, 224, 224}},
      attempt);
}
