/// \file
/// divergence: the same work on two sides of an `if`, taken by some lanes or by some warps.
///
/// The question: half of all threads take the one side, half the other. What does that cost, and
/// does it matter which half?
///
///     build/ch01_programming_model --only divergence
#include <cmath>
#include <string>
#include <vector>

#include "base/numbers.h"
#include "lesson/results/results.h"
#include "lesson/run.h"

namespace lesson = warpwise::lesson;

namespace {

constexpr int steps = 256;  ///< of either side.

/// One of the two sides: as long as the other.
__host__ __device__ float side(float value, float factor, int count) {
  for (int i = 0; i < count; ++i) value = fmaf(value, factor, 1.0F);
  return value;
}

/// Series 1: the first `share` lanes of each warp take one side, its other lanes the other.
/// @param[out] y device, one float for each thread. @param count steps of a side.
/// @pre one dimension; blocks of whole warps.
/// @cost 4 bytes and 2 * count flops a thread.
__global__ void divergence_1_lanes(float* y, int share, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = i % 32;
  if (lane < share) {
    y[i] = side(static_cast<float>(i % 32), 0.5F, count);
  } else {
    y[i] = side(static_cast<float>(i % 32), 0.25F, count);
  }
}

/// Series 2: as many threads take each side, but whole warps do: the first `share` of each 32.
/// @param y, count as above. @pre, @cost as above.
__global__ void divergence_2_warps(float* y, int share, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int warp = i / 32 % 32;
  if (warp < share) {
    y[i] = side(static_cast<float>(i % 32), 0.5F, count);
  } else {
    y[i] = side(static_cast<float>(i % 32), 0.25F, count);
  }
}

/// What both series leave, if `share` of 32 is decided by i divided by `unit`.
std::vector<double> reference(int threads, int unit, int share) {
  // One value for each start and each side: millions of threads end with one of these 64.
  const double factors[2] = {0.25, 0.5};
  double ends[2][32];
  for (int takes_first = 0; takes_first < 2; ++takes_first) {
    for (int lane = 0; lane < 32; ++lane) {
      double value = lane;
      for (int step = 0; step < steps; ++step) value = value * factors[takes_first] + 1;
      ends[takes_first][lane] = value;
    }
  }
  std::vector<double> y(threads);
  for (int i = 0; i < threads; ++i) y[i] = ends[i / unit % 32 < share][i % 32];
  return y;
}

void divergence_rungs(lesson::Trial& run) {
  constexpr int block_threads = 1024;
  const int blocks = lesson::ceil_div(run.size()[0], block_threads / 32);
  const int threads = blocks * block_threads;
  const lesson::Tolerance few_units{.absolute = 0, .relative = 0x1p-22};
  const lesson::Shape shape{.grid = blocks, .block = block_threads};
  float* y = run.output("y", reference(threads, 1, run.value()), few_units);
  run.variant("lanes of each warp", divergence_1_lanes, shape, y, run.value(), steps);
  y = run.output("y", reference(threads, 32, run.value()), few_units);
  run.variant("whole warps", divergence_2_warps, shape, y, run.value(), steps);
}

/// Instructions of the sweep's points, for a thread that has work all the time.
lesson::Demonstration shares(const lesson::LadderResult& sweep) {
  lesson::Demonstration table;
  table.title = "which part of 32 takes the first side of an if";
  table.columns = {"who decides",         "of 32",         "warp instructions",
                   "thread instructions", "lanes at work", "branches split"};
  for (const lesson::Rung& point : sweep.rungs) {
    const double threads = point.counts.value(lesson::counter::thread_instructions);
    const double warps = point.counts.value("ptx__warp_instructions");
    const auto whole = [](double value) { return std::to_string(std::llround(value)); };
    const std::string lanes =
        warps > 0 ? std::to_string(threads / warps).substr(0, 5) : std::string("-");
    table.rows.push_back({point.series, std::to_string(point.value), whole(warps), whole(threads),
                          lanes, whole(point.counts.value("ptx__divergent_branches"))});
  }
  table.note =
      "Counted in PTX instructions. A warp that splits runs both sides, one after the other, each "
      "with a part of its lanes.";
  return table;
}

}  // namespace

void divergence_demonstration(lesson::Run& run) {
  run.sweep({.parameter = "of 32", .values = {0, 1, 8, 16, 24, 31, 32}, .shows = {}},
            {.name = "divergence",
             .title = "256 steps on either side of an if; a size is a number of warps",
             .full = {131072},
             .small = {64},
             .awkward = {},
             .needs =
                 [](const lesson::Size& size) {
                   const double threads = 32.0 * size[0];
                   return lesson::Needs{.bytes = 4 * threads, .flops = 2 * steps * threads};
                 }},
            divergence_rungs);
  if (const lesson::LadderResult* sweep = run.result("divergence")) {
    run.table("divergence_shares", [&] { return shares(*sweep); });
  }
}
