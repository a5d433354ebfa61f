/// \file
/// Waves: the same work, cut into one wave of blocks, a little more, two, ...
///
/// The question: a GPU holds so many blocks at once, a *wave*. With 1 % more blocks than a wave,
/// how much longer does the work take?
///
///     build/ch04_occupancy --only waves
#include <vector>

#include "base/algorithm.h"
#include "exact_input.h"
#include "lesson/run.h"
#include "residency.h"

namespace lesson = warpwise::lesson;

namespace {

constexpr int block_threads = 256;
constexpr int resident_blocks = 2;

/// A block takes one stretch of the numbers, all stretches equally long, and works `steps` fused
/// multiply-adds on each number: enough that only the arithmetic counts.
/// @param[in] x n floats, device. @param[out] y n floats, device. @param a -1.
/// @pre blocks in one dimension, any grid.
/// @cost 2 * steps flops and 8 bytes a number.
__global__ void stretches(const float* x, float* y, int n, int steps, float a) {
  const int length = (n + gridDim.x - 1) / gridDim.x;
  const int begin = min(static_cast<int>(blockIdx.x) * length, n);
  const int end = min(begin + length, n);
  for (int i = begin + threadIdx.x; i < end; i += blockDim.x) {
    float value = x[i];
#pragma unroll 16
    for (int step = 0; step < steps; ++step) value = fmaf(value, a, 1.0F);
    y[i] = value;
  }
}

/// Size: numbers, steps on each. The value is the grid in per cent of a wave.
void waves_rungs(lesson::Trial& run) {
  const int n = run.size()[0], steps = run.size()[1];
  const std::vector<float> host = exact_input(n);
  std::vector<double> expected(host.begin(), host.end());
  if (steps % 2 != 0) {
    for (double& value : expected) value = 1 - value;
  }
  const float* x = run.input("x", host);
  float* y = run.output("y", std::move(expected), {});
  const int wave = multiprocessors() * resident_blocks;
  const int grid = std::max(wave * std::max(run.value(), 1) / 100, 1);
  run.variant("two blocks an SM", stretches,
              {.grid = grid, .block = block_threads, .shared_bytes = brake_bytes(resident_blocks)},
              x, y, n, steps, -1.0F);
}

}  // namespace

void waves_sweep(lesson::Run& run) {
  run.sweep({.parameter = "blocks, % of a wave",
             .values = {25, 50, 75, 100, 101, 125, 150, 200, 201, 250, 300, 301, 400, 1000, 1001},
             .shows = {}},
            {.name = "waves",
             .title = "the same multiply-adds in one wave of blocks, a little more, two, ...",
             .full = {1 << 23, 1024},
             .small = {1 << 15, 16},
             .awkward = {{1, 1}, {33, 3}, {1000, 2}},
             .needs =
                 [](const lesson::Size& size) {
                   const double n = size[0];
                   return lesson::Needs{.bytes = 8 * n, .flops = 2 * n * size[1]};
                 }},
            waves_rungs);
}
