/// \file
/// Softmax of short rows: 1024 numbers, as in GPT-2's attention over 1024 tokens.
///
/// The question: a block of 1024 threads has one number of such a row for each thread, and three
/// barriers. A warp has 32 for each lane, and none. What does the row need: threads, or loads in
/// flight?
///
///     build/ch05_warp_reduce --only softmax_short
///
/// The rungs of `softmax_short`, as the table lists them, and their kernels:
///
///      1  short, block per row  softmax_short_1_block
///      2  short, warp per row   softmax_short_2_warp
#include <type_traits>
#include <vector>

#include "base/algorithm.h"
#include "lesson/run.h"
#include "softmax.h"

namespace lesson = warpwise::lesson;
using namespace rows;

namespace {

constexpr int block_threads = 256;

// ---- rung 1: a block per row ----

/// The values of a block as one, in every thread.
/// @param partial shared, one for each warp; free again after the next barrier.
template <float (*Combine)(float, float)>
__device__ float combined_in_block(float value, float* partial) {
  constexpr int warps = block_threads / warp_size;
  value = combined_in_warp<Combine>(value);
  const int lane = threadIdx.x % warp_size;
  if (lane == 0) partial[threadIdx.x / warp_size] = value;
  __syncthreads();
  return combined_in_warp<Combine, warps>(partial[lane % warps]);
}

/// Each thread keeps its part of the row in registers; two barriers a row.
/// @tparam held floats of a thread.
/// @param[in] x, @param[out] y rows * columns, row-major, device.
/// @pre columns <= 256 * held; blocks of 256 threads, any grid: a block takes every gridDim.x-th
/// row.
/// @cost the 8 bytes an element that are needed; one exp.
template <int held>
__global__ void __launch_bounds__(block_threads)
    softmax_short_1_block(const float* x, float* y, int rows, int columns) {
  __shared__ float largest_of_warp[block_threads / warp_size];
  __shared__ float sum_of_warp[block_threads / warp_size];
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    const float* in = x + row_begin(row, columns);
    float value[held];
    float largest = -INFINITY;
#pragma unroll
    for (int i = 0; i < held; ++i) {
      const int column = i * block_threads + threadIdx.x;
      value[i] = column < columns ? in[column] : -INFINITY;
      largest = fmaxf(largest, value[i]);
    }
    largest = combined_in_block<larger>(largest, largest_of_warp);
    float sum = 0;
#pragma unroll
    for (int i = 0; i < held; ++i) sum += value[i] = expf(value[i] - largest);
    const float scale = 1 / combined_in_block<added>(sum, sum_of_warp);
    float* out = y + row_begin(row, columns);
#pragma unroll
    for (int i = 0; i < held; ++i) {
      const int column = i * block_threads + threadIdx.x;
      if (column < columns) out[column] = value[i] * scale;
    }
  }
}

// ---- rung 2: a warp per row ----

/// A lane keeps its part of the row in registers, in packs. Lanes exchange, nothing is shared, and
/// no warp waits for another.
/// @tparam N floats of a pack: 4, or 1 where 4 does not divide columns. @tparam packs of a lane.
/// @param[in] x, @param[out] y rows * columns, row-major, device.
/// @pre columns % N == 0; columns <= N * packs * 32; blocks of (32, 4) threads, any grid.
/// @cost the 8 bytes an element that are needed; one exp.
/// @source OneFlow's notes on softmax, for the idea.
template <int N, int packs>
__global__ void __launch_bounds__(128)
    softmax_short_2_warp(const float* x, float* y, int rows, int columns) {
  const int count = columns / N, warps = gridDim.x * blockDim.y;
  for (int row = blockIdx.x * blockDim.y + threadIdx.y; row < rows; row += warps) {
    const auto* in = reinterpret_cast<const Pack<N>*>(x + row_begin(row, columns));
    Pack<N> kept[packs];
    float largest = -INFINITY;
#pragma unroll
    for (int i = 0; i < packs; ++i) {
      const int pack = i * warp_size + threadIdx.x;
      if (pack < count) kept[i] = in[pack];
    }
#pragma unroll
    for (int i = 0; i < packs; ++i) {
      const bool inside = i * warp_size + threadIdx.x < count;
#pragma unroll
      for (int e = 0; e < N; ++e) {
        if (!inside) kept[i].value[e] = -INFINITY;
        largest = fmaxf(largest, kept[i].value[e]);
      }
    }
    largest = combined_in_warp<larger>(largest);
    float sum = 0;
#pragma unroll
    for (int i = 0; i < packs; ++i) {
#pragma unroll
      for (int e = 0; e < N; ++e) sum += kept[i].value[e] = expf(kept[i].value[e] - largest);
    }
    const float scale = 1 / combined_in_warp<added>(sum);
    auto* out = reinterpret_cast<Pack<N>*>(y + row_begin(row, columns));
#pragma unroll
    for (int i = 0; i < packs; ++i) {
#pragma unroll
      for (int e = 0; e < N; ++e) kept[i].value[e] *= scale;
      const int pack = i * warp_size + threadIdx.x;
      if (pack < count) out[pack] = kept[i];
    }
  }
}

// ---- launchers ----

template <int N>
void warp_rung(lesson::Trial& run, const float* x, float* y, int rows, int columns) {
  const char* name = "short, warp per row";
  const lesson::Shape shape{.grid = std::min(ceil_div(rows, 4), most_blocks),
                            .block = {warp_size, 4}};
  if (columns <= 128) {
    run.variant(name, softmax_short_2_warp<N, 4 / N>, shape, x, y, rows, columns);
  } else {
    run.variant(name, softmax_short_2_warp<N, 32 / N>, shape, x, y, rows, columns);
  }
}

void short_rungs(lesson::Trial& run) {
  const int rows = run.size()[0];
  const int columns = run.size()[1];
  if (columns > 1024) {
    for (const char* name : {"short, block per row", "short, warp per row"}) {
      run.skip(name, "more than 1024 columns are not short");
    }
    return;
  }
  const std::vector<float> host = softmax_input(rows, columns);
  const float* x = run.input("x", host);
  float* y = run.output("y", softmax_reference(host, columns), softmax_tolerance, columns);
  run.variant("short, block per row", softmax_short_1_block<4>,
              {.grid = std::min(rows, most_blocks), .block = block_threads}, x, y, rows, columns);
  if (columns % 4 == 0) {
    warp_rung<4>(run, x, y, rows, columns);
  } else {
    warp_rung<1>(run, x, y, rows, columns);
  }
}

}  // namespace

void softmax_short_ladder(lesson::Run& run) {
  run.ladder({.name = "softmax_short",
              .title = "exp(x - largest) over its sum, for each row of attention, float32",
              .full = {49152, 1024},
              .small = {512, 1024},
              .awkward = {{1, 1}, {5, 31}, {3, 1000}, {9, 127}, {6, 128}, {3, 1023}},
              .needs = softmax_needs},
             short_rungs);
}
