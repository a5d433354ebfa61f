/// \file
/// Softmax of long rows: exp(x - largest) over its sum, for each row.
///
/// The question: a row of GPT-2's vocabulary has 50257 numbers; no warp's registers hold it. The
/// obvious way reads it three times: for the largest, for the sum, for the result. Is there a way
/// to find both in one pass, and is there a place to keep the row?
///
///     build/ch05_warp_reduce --only softmax
///
/// The rungs of `softmax`, as the table lists them, and their kernels:
///
///      1  softmax, three passes    softmax_1_three_passes
///      2  softmax, online          softmax_2_online
///      3  softmax, four at a time  softmax_3_four_at_a_time
///      4  softmax, row kept        softmax_4_kept
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "lesson/run.h"
#include "rows.h"

namespace lesson = warpwise::lesson;
using namespace rows;

namespace {

constexpr int block_threads = 1024;
constexpr int block_warps = block_threads / warp_size;

// ---- reference ----

std::vector<double> softmax_reference(const std::vector<float>& x, int columns) {
  std::vector<double> y(x.size());
  for (std::size_t begin = 0; begin < x.size(); begin += columns) {
    const double largest = *std::max_element(&x[begin], &x[begin] + columns);
    double sum = 0;
    for (int i = 0; i < columns; ++i) sum += y[begin + i] = std::exp(x[begin + i] - largest);
    for (int i = 0; i < columns; ++i) y[begin + i] /= sum;
  }
  return y;
}

/// Numbers in [-8, 8) that repeat on every machine; row 1 shifted so far that exp overflows.
std::vector<float> softmax_input(int rows, int columns) {
  std::vector<float> x(static_cast<std::size_t>(rows) * columns);
  std::uint32_t state = 5;
  for (float& value : x) {
    state = state * 1664525U + 1013904223U;
    value = static_cast<float>(static_cast<std::int32_t>(state)) * 0x1p-28F;
  }
  if (rows > 1) std::for_each(&x[columns], &x[columns] + columns, [](float& v) { v += 200; });
  return x;
}

// ---- one number of a block ----

__device__ float larger(float a, float b) { return fmaxf(a, b); }
__device__ float added(float a, float b) { return a + b; }

/// The values of a warp as one, in every lane, by a butterfly. @pre all 32 lanes call it.
template <float (*Combine)(float, float)>
__device__ float combined_in_warp(float value) {
  for (int distance = warp_size / 2; distance > 0; distance /= 2) {
    value = Combine(value, __shfl_xor_sync(0xFFFFFFFF, value, distance));
  }
  return value;
}

/// The values of a block as one, in every thread: each warp combines the warps' once more.
/// @param partial shared, one for each warp; free again after the next barrier.
/// @pre all 1024 threads call it.
template <float (*Combine)(float, float)>
__device__ float combined_in_block(float value, float* partial) {
  value = combined_in_warp<Combine>(value);
  const int lane = threadIdx.x % warp_size;
  if (lane == 0) partial[threadIdx.x / warp_size] = value;
  __syncthreads();
  return combined_in_warp<Combine>(partial[lane]);
}

// ---- largest and sum of a block at once ----

/// The running largest value, and the sum of exp(x - largest) so far.
struct Running {
  float largest, sum;
};

/// Of no numbers. @return minus infinity and zero.
__device__ Running of_nothing() { return {-INFINITY, 0}; }

/// Takes one more number. Where it is the largest so far, the sum is brought to the new one.
__device__ void take(Running& state, float value) {
  const float largest = fmaxf(state.largest, value);
  state.sum = state.sum * expf(state.largest - largest) + expf(value - largest);
  state.largest = largest;
}

/// Two runs as one.
__device__ Running joined(Running a, Running b) {
  const float largest = fmaxf(a.largest, b.largest);
  // A thread without a number has minus infinity; minus infinity less itself would be a NaN.
  if (largest == -INFINITY) return a;
  return {largest, a.sum * expf(a.largest - largest) + b.sum * expf(b.largest - largest)};
}

__device__ Running joined_in_warp(Running state) {
  for (int distance = warp_size / 2; distance > 0; distance /= 2) {
    const Running other{__shfl_xor_sync(0xFFFFFFFF, state.largest, distance),
                        __shfl_xor_sync(0xFFFFFFFF, state.sum, distance)};
    state = joined(state, other);
  }
  return state;
}

/// \copydoc combined_in_block
__device__ Running joined_in_block(Running state, Running* partial) {
  const int lane = threadIdx.x % warp_size;
  state = joined_in_warp(state);
  if (lane == 0) partial[threadIdx.x / warp_size] = state;
  __syncthreads();
  return joined_in_warp(partial[lane]);
}

// ---- rung 1: three passes ----

/// The largest value, then the sum, then the result: each pass reads the row.
/// @param[in] x, @param[out] y rows * columns, row-major, device.
/// @pre blocks of 1024 threads, any grid: a block takes every gridDim.x-th row.
/// @cost reads x three times, writes y once: 16 bytes an element; two exp.
/// @source the definition, with the largest value subtracted so that exp cannot overflow.
__global__ void __launch_bounds__(block_threads, 2)
    softmax_1_three_passes(const float* x, float* y, int rows, int columns) {
  // One for each reduction: no warp writes where another may still read.
  __shared__ float largest_of_warp[block_warps];
  __shared__ float sum_of_warp[block_warps];
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    const float* in = x + row_begin(row, columns);
    float largest = -INFINITY;
    for (int i = threadIdx.x; i < columns; i += block_threads) largest = larger(largest, in[i]);
    largest = combined_in_block<larger>(largest, largest_of_warp);

    float sum = 0;
    for (int i = threadIdx.x; i < columns; i += block_threads) sum += expf(in[i] - largest);
    sum = combined_in_block<added>(sum, sum_of_warp);

    float* out = y + row_begin(row, columns);
    for (int i = threadIdx.x; i < columns; i += block_threads) {
      out[i] = expf(in[i] - largest) / sum;
    }
    // The next row writes `largest_of_warp`: every warp has read it before the barrier of the sum.
  }
}

// ---- rung 2: online, two passes ----

/// Largest value and sum in one pass: a larger number brings the sum so far to its own scale.
/// \copydetails softmax_1_three_passes
/// @cost 12 bytes an element; three exp.
/// @source Milakov and Gimelshein, "Online normalizer calculation for softmax".
__global__ void __launch_bounds__(block_threads, 2)
    softmax_2_online(const float* x, float* y, int rows, int columns) {
  __shared__ Running partial[block_warps];
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    const float* in = x + row_begin(row, columns);
    Running state = of_nothing();
    for (int i = threadIdx.x; i < columns; i += block_threads) take(state, in[i]);
    const Running whole = joined_in_block(state, partial);
    float* out = y + row_begin(row, columns);
    for (int i = threadIdx.x; i < columns; i += block_threads) {
      out[i] = expf(in[i] - whole.largest) / whole.sum;
    }
    __syncthreads();
  }
}

// ---- rung 3: online, four numbers at a time ----

constexpr int at_a_time = 4;

/// Takes four numbers: the sum is brought to a new largest value once, not four times, and the four
/// loads before it do not wait for each other.
__device__ void take(Running& state, const float (&value)[at_a_time]) {
  float largest = state.largest;
  for (float v : value) largest = fmaxf(largest, v);
  // A thread that has had no number yet: minus infinity less itself would be a NaN.
  if (largest == -INFINITY) return;
  state.sum *= expf(state.largest - largest);
  for (float v : value) state.sum += expf(v - largest);
  state.largest = largest;
}

/// Walks along a row, four of a thread's columns at a time, and hands them on as they are read.
/// @param keep (column, value), for each column of the row.
template <class Keep>
__device__ Running taken(const float* in, int columns, const Keep& keep) {
  Running state = of_nothing();
  for (int first = threadIdx.x; first < columns; first += at_a_time * block_threads) {
    float value[at_a_time];
#pragma unroll
    for (int i = 0; i < at_a_time; ++i) {
      const int column = first + i * block_threads;
      value[i] = column < columns ? in[column] : -INFINITY;
    }
#pragma unroll
    for (int i = 0; i < at_a_time; ++i) {
      const int column = first + i * block_threads;
      if (column < columns) keep(column, value[i]);
    }
    take(state, value);
  }
  return state;
}

/// As rung 2, with more loads in flight and fewer exponentials.
/// \copydetails softmax_1_three_passes
/// @cost 12 bytes an element; nine exp for four elements.
__global__ void __launch_bounds__(block_threads, 2)
    softmax_3_four_at_a_time(const float* x, float* y, int rows, int columns) {
  __shared__ Running partial[block_warps];
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    const float* in = x + row_begin(row, columns);
    const Running whole = joined_in_block(taken(in, columns, [](int, float) {}), partial);
    float* out = y + row_begin(row, columns);
#pragma unroll 4
    for (int i = threadIdx.x; i < columns; i += block_threads) {
      out[i] = expf(in[i] - whole.largest) / whole.sum;
    }
    __syncthreads();
  }
}

// ---- rung 4: the row in shared memory ----

/// Each thread keeps what it read in shared memory, in places that no other thread touches.
/// @param[in] x, @param[out] y rows * columns, row-major, device.
/// @pre blocks of 1024 threads, `columns` floats of dynamic shared memory, any grid.
/// @cost the 8 bytes an element that are needed.
__global__ void __launch_bounds__(block_threads)
    softmax_4_kept(const float* x, float* y, int rows, int columns) {
  extern __shared__ float kept[];
  __shared__ Running partial[block_warps];
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    const float* in = x + row_begin(row, columns);
    const auto keep = [](int column, float value) { kept[column] = value; };
    const Running whole = joined_in_block(taken(in, columns, keep), partial);
    float* out = y + row_begin(row, columns);
#pragma unroll 4
    for (int i = threadIdx.x; i < columns; i += block_threads) {
      out[i] = expf(kept[i] - whole.largest) / whole.sum;
    }
    __syncthreads();
  }
}

// ---- launchers ----

void softmax_rungs(lesson::Trial& run) {
  const int rows = run.size()[0];
  const int columns = run.size()[1];
  const std::vector<float> host = softmax_input(rows, columns);
  const float* x = run.input("x", host);
  // expf is good to two units in the last place; the sum of many adds a few more.
  float* y = run.output("y", softmax_reference(host, columns),
                        {.absolute = 1e-10, .relative = 4e-5}, columns);
  const lesson::Shape shape{.grid = std::min(rows, most_blocks), .block = block_threads};
  run.variant("softmax, three passes", softmax_1_three_passes, shape, x, y, rows, columns);
  run.variant("softmax, online", softmax_2_online, shape, x, y, rows, columns);
  run.variant("softmax, four at a time", softmax_3_four_at_a_time, shape, x, y, rows, columns);

  int most_shared = 0;
  lesson::check(cudaDeviceGetAttribute(&most_shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  const std::size_t row_bytes = sizeof(float) * columns;
  const auto* kept = "softmax, row kept";
  if (row_bytes + sizeof(Running) * block_warps > static_cast<std::size_t>(most_shared)) {
    run.skip(kept, "the row does not fit the shared memory of one block");
  } else {
    run.variant(kept, softmax_4_kept,
                {.grid = shape.grid, .block = shape.block, .shared_bytes = row_bytes}, x, y, rows,
                columns);
  }
}

}  // namespace

void softmax_ladder(lesson::Run& run) {
  run.ladder({.name = "softmax",
              .title = "exp(x - largest) over its sum, for each row, float32",
              .full = {2048, 50257},
              .small = {8, 8192},
              .awkward = {{1, 1}, {5, 31}, {3, 1000}, {3, 1025}, {2, 5003}},
              .needs =
                  [](const lesson::Size& size) {
                    const auto elements = static_cast<double>(size.elements());
                    return lesson::Needs{.bytes = 8 * elements, .flops = 4 * elements};
                  }},
             softmax_rungs);
}
