/// \file
/// LayerNorm: every row of a matrix shifted to mean 0, scaled to variance 1, then weighted.
///
///     y[row][column] = (x[row][column] - mean) / sqrt(variance + 1e-5) * weight[column] +
///     bias[column]
///
/// The question: two reductions for each row of 768, and again eight bytes an element to move. What
/// do the ways in which a row's threads meet cost?
///
///     build/ch05_warp_reduce --only layernorm
///     build/ch05_warp_reduce --only "row in registers" --size 1000x96
///
/// The rungs of `layernorm`, as the table lists them, and their kernels:
///
///      1  block, shared atomics   layernorm_1_atomics
///      2  block, 16-byte packs    layernorm_2_packs
///      3  warp, row in registers  layernorm_3_warp
#include <vector>

#include "base/algorithm.h"
#include "layernorm.h"
#include "lesson/run.h"

namespace lesson = warpwise::lesson;
using namespace rows;

namespace {

// ---- shared by the rungs of blocks ----

constexpr int block_threads = 192;
/// Each warp of a block has a number of its own to add to.
constexpr int warps_apart = block_threads / warp_size;

/// Adds the threads' values in shared memory, one atomic addition each. @return the sum,
/// everywhere.
/// @tparam count of the numbers that the warps take turns to add to; the threads then add these.
/// @param numbers shared. @pre all threads of the block call it, count at least.
template <int count>
__device__ float block_sum_by_atomics(float value, float (&numbers)[count]) {
  // Nobody reads the last sum any more.
  __syncthreads();
  if (threadIdx.x < count) numbers[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&numbers[threadIdx.x / warp_size % count], value);
  __syncthreads();
  float sum = 0;
  for (const float number : numbers) sum += number;
  return sum;
}

// ---- rung 1: a block per row, atomics in shared memory ----

/// Each thread adds its columns; the threads add their sums to numbers in shared memory.
/// @param[in] x rows * columns, row-major, weight and bias columns, device. @param[out] y as x.
/// @tparam count of those numbers: a warp each, or fewer.
/// @pre blocks of `count` threads or more, any grid: a block takes every gridDim.x-th row.
/// @cost reads x three times, writes y once; 5 flops an element, two square roots and divisions a
/// row.
/// @source the article's first approach, where all warps share one number; its variance by the
/// centred formula.
template <int count>
__global__ void layernorm_1_atomics(const float* x, const float* weight, const float* bias,
                                    float* y, int rows, int columns) {
  __shared__ float numbers[count];
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    const float* in = x + row_begin(row, columns);
    float sum = 0;
    for (int column = threadIdx.x; column < columns; column += blockDim.x) sum += in[column];
    const float mean = block_sum_by_atomics(sum, numbers) / columns;
    float squares = 0;
    for (int column = threadIdx.x; column < columns; column += blockDim.x) {
      squares += (in[column] - mean) * (in[column] - mean);
    }
    const float scale = scale_of(block_sum_by_atomics(squares, numbers) / columns);
    float* out = y + row_begin(row, columns);
    for (int column = threadIdx.x; column < columns; column += blockDim.x) {
      out[column] = (in[column] - mean) * scale * weight[column] + bias[column];
    }
  }
}

// ---- rung 2: 16-byte packs ----

/// The same with packs of four: a quarter of the requests, as many atomics.
/// @tparam N 4; 1 where columns are not a multiple of 4. \copydetails layernorm_1_atomics
template <int N>
__global__ void layernorm_2_packs(const float* x, const float* weight, const float* bias, float* y,
                                  int rows, int columns) {
  __shared__ float numbers[warps_apart];
  const int packs = columns / N;
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    const auto* in = reinterpret_cast<const Pack<N>*>(x + row_begin(row, columns));
    float sum = 0;
    for (int pack = threadIdx.x; pack < packs; pack += blockDim.x) sum += sum_of(in[pack]);
    const float mean = block_sum_by_atomics(sum, numbers) / columns;
    float squares = 0;
    for (int pack = threadIdx.x; pack < packs; pack += blockDim.x) {
      squares += squares_of(in[pack], mean);
    }
    const float scale = scale_of(block_sum_by_atomics(squares, numbers) / columns);
    auto* out = reinterpret_cast<Pack<N>*>(y + row_begin(row, columns));
    for (int pack = threadIdx.x; pack < packs; pack += blockDim.x) {
      out[pack] = normalised(in[pack], mean, scale, reinterpret_cast<const Pack<N>*>(weight)[pack],
                             reinterpret_cast<const Pack<N>*>(bias)[pack]);
    }
  }
}

// ---- rung 3: a warp per row, the row in registers ----

/// A warp keeps its row: x is read once, both sums are butterflies, and no warp waits at a barrier.
/// @tparam N as in rung 2. @tparam packs of a lane: N * packs * 32 columns at most.
/// @param[in] x rows * columns, row-major, weight and bias columns, device. @param[out] y as x.
/// @pre columns % N == 0; columns <= N * packs * 32; blocks of (32, 4) threads, any grid.
/// @cost the 8 bytes an element that are needed; weight and bias come from a cache.
/// @source the article's third approach.
template <int N, int packs>
__global__ void __launch_bounds__(128)
    layernorm_3_warp(const float* x, const float* weight, const float* bias, float* y, int rows,
                     int columns) {
  const int warps = gridDim.x * blockDim.y;
  for (int row = blockIdx.x * blockDim.y + threadIdx.y; row < rows; row += warps) {
    const auto* in = reinterpret_cast<const Pack<N>*>(x + row_begin(row, columns));
    Pack<N> kept[packs];
    load_row(kept, in, columns / N);
    normalise_row(kept, weight, bias, y + row_begin(row, columns), columns);
  }
}

// ---- launchers ----

template <int N>
void layernorm_rungs_of(lesson::Trial& run, const float* x, const float* weight, const float* bias,
                        float* y) {
  const int rows = run.size()[0];
  const int columns = run.size()[1];
  const int blocks = std::min(rows, most_blocks);
  run.variant("block, shared atomics", layernorm_1_atomics<warps_apart>,
              {.grid = blocks, .block = block_threads}, x, weight, bias, y, rows, columns);
  run.variant("block, 16-byte packs", layernorm_2_packs<N>,
              {.grid = blocks, .block = block_threads}, x, weight, bias, y, rows, columns);
  const bool fits = with_packs<N>(columns, [&](auto packs) {
    run.variant("warp, row in registers", layernorm_3_warp<N, decltype(packs)::value>,
                warp_shape(rows), x, weight, bias, y, rows, columns);
  });
  if (!fits) run.skip("warp, row in registers", too_wide);
}

/// Device arrays of the problem.
struct Arrays {
  const float* x;
  const float* weight;
  const float* bias;
  float* y;
};

Arrays layernorm_arrays(lesson::Trial& run) {
  const int rows = run.size()[0];
  const int columns = run.size()[1];
  const std::vector<float> host = layernorm_input(rows, columns, 1);
  const std::vector<float> weight = layernorm_weight(columns), bias = layernorm_bias(columns);
  return {
      .x = run.input("x", host),
      .weight = run.input("weight", weight),
      .bias = run.input("bias", bias),
      .y = run.output("y", layernorm_reference({host.begin(), host.end()}, weight, bias, columns),
                      layernorm_tolerance, columns)};
}

void layernorm_rungs(lesson::Trial& run) {
  const auto [x, weight, bias, y] = layernorm_arrays(run);
  if (run.size()[1] % 4 == 0) {
    layernorm_rungs_of<4>(run, x, weight, bias, y);
  } else {
    layernorm_rungs_of<1>(run, x, weight, bias, y);
  }
}

void meeting_rungs(lesson::Trial& run) {
  const auto [x, weight, bias, y] = layernorm_arrays(run);
  const int rows = run.size()[0];
  const auto kernel = run.value() == 1   ? layernorm_1_atomics<1>
                      : run.value() == 2 ? layernorm_1_atomics<2>
                      : run.value() == 3 ? layernorm_1_atomics<3>
                                         : layernorm_1_atomics<warps_apart>;
  run.variant("block, shared atomics", kernel,
              {.grid = std::min(rows, most_blocks), .block = block_threads}, x, weight, bias, y,
              rows, run.size()[1]);
}

lesson::Needs needs_of(const lesson::Size& size) {
  const auto elements = static_cast<double>(size.elements());
  return {.bytes = 8 * elements, .flops = 8 * elements};
}

}  // namespace

void layernorm_ladder(lesson::Run& run) {
  run.ladder({.name = "layernorm",
              .title = "each row to mean 0 and variance 1, then weight and bias, float32",
              .full = {65536, 768},
              .small = {1024, 768},
              .awkward = {{1, 1}, {7, 31}, {8, 33}, {9, 96}, {33, 130}, {7, 768}, {5, 3000}},
              .needs = needs_of},
             layernorm_rungs);
  run.sweep({.parameter = "numbers for six warps", .values = {6, 3, 2, 1}, .shows = {}},
            {.name = "meeting",
             .title = "LayerNorm by shared atomics: six warps a block, and where they add",
             .full = {65536, 768},
             .small = {256, 768},
             .awkward = {},
             .needs = needs_of},
            meeting_rungs);
}
