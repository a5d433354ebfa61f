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
///      1  softmax, three passes     softmax_1_three_passes
///      2  softmax, online           softmax_2_online
///      3  softmax, four at a time   softmax_3_four_at_a_time
///      4  softmax, row kept         softmax_4_kept
///      5  softmax, next row comes   softmax_5_next_comes
///      6  softmax, cluster per row  softmax_6_cluster
#include <cmath>
#include <type_traits>
#include <vector>

#include "base/algorithm.h"
#include "bulk_copy.h"
#include "lesson/run.h"
#include "rows.h"
#include "softmax.h"

namespace lesson = warpwise::lesson;
using namespace rows;

namespace {

constexpr int block_threads = 1024;
constexpr int block_warps = block_threads / warp_size;

// ---- one number of a block: softmax.h ----

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
    largest = combined_in_block<larger, block_warps>(largest, largest_of_warp);

    float sum = 0;
    for (int i = threadIdx.x; i < columns; i += block_threads) sum += expf(in[i] - largest);
    sum = combined_in_block<added, block_warps>(sum, sum_of_warp);

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

// ---- rung 5: the row in registers, the next one in flight ----

constexpr int stream_threads = 512, stream_warps = stream_threads / warp_size;

/// A row comes to shared memory by one copy that no thread waits for. As soon as the threads have
/// taken it into their registers, the next row is in flight: it travels while this one is reduced
/// and stored. exp is computed once.
/// @tparam packs of a thread, 4 floats each.
/// @param[in] x, @param[out] y rows * columns, row-major, device, on 128-byte boundaries.
/// @pre columns + 31 <= 2048 * packs; blocks of 512 threads, 2048 * packs floats of dynamic shared
/// memory, any grid; sm_90.
/// @cost the 8 bytes an element that are needed; one exp.
/// @source PTX manual, cp.async.bulk.
template <int packs>
__global__ void __launch_bounds__(stream_threads, 1)
    softmax_5_next_comes(const float* x, float* y, int rows, int columns) {
  extern __shared__ __align__(128) float coming[];
  __shared__ BulkBarrier arrived;
  __shared__ float largest_of_warp[stream_warps], sum_of_warp[stream_warps];
  if (threadIdx.x == 0) start_bulk_barrier(&arrived);
  __syncthreads();
  const auto start = [&](int row) {
    if (threadIdx.x != 0 || row >= rows) return;
    const Place place(row, rows, columns);
    arrive_expecting_bytes(&arrived, place.copied * sizeof(float));
    if (place.copied == 0) return;
    start_bulk_copy(coming, x + place.begin, place.copied * sizeof(float), &arrived);
  };
  start(blockIdx.x);

  int phase = 0;
  for (int row = blockIdx.x; row < rows; row += gridDim.x, ++phase) {
    const Place place(row, rows, columns);
    wait_for_bytes(&arrived, phase);
    Pack<4> kept[packs];
    float largest = take_from<stream_threads>(kept, coming, x, place);
    // All threads hold the row: its place is free.
    __syncthreads();
    start(row + gridDim.x);

    largest = combined_in_block<larger, stream_warps>(largest, largest_of_warp);
    float sum = 0;
#pragma unroll
    for (int i = 0; i < packs; ++i) {
#pragma unroll
      for (int e = 0; e < 4; ++e) sum += kept[i].value[e] = expf(kept[i].value[e] - largest);
    }
    const float scale = 1 / combined_in_block<added, stream_warps>(sum, sum_of_warp);
#pragma unroll
    for (int i = 0; i < packs; ++i) {
      const int first = (i * stream_threads + threadIdx.x) * 4;
      float* to = y + place.begin + first;
#pragma unroll
      for (int e = 0; e < 4; ++e) kept[i].value[e] *= scale;
      if (place.has(first, i) && place.has(first + 3, i)) {
        *reinterpret_cast<Pack<4>*>(to) = kept[i];
      } else {
        // The packs at both ends of the row hold other rows' elements as well.
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          if (place.has(first + e, i)) to[e] = kept[i].value[e];
        }
      }
    }
  }
}

// ---- launchers ----

/// Rung 5 with the fewest registers that hold a row.
void streamed_rung(lesson::Trial& run, const float* x, float* y, int rows, int columns) {
  const char* name = "softmax, next row comes";
  int major = 0, sms = 0;
  lesson::check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
  lesson::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  if (major < 9) return run.skip(name, "copies of many bytes that count on a barrier need sm_90");
  const auto rung = [&](auto packs) {
    constexpr int count = decltype(packs)::value;
    // At most half as many blocks as rows, so that each block sees a next one.
    run.variant(name, softmax_5_next_comes<count>,
                {.grid = std::min(ceil_div(rows, 2), sms),
                 .block = stream_threads,
                 .shared_bytes = sizeof(float) * 4 * count * stream_threads},
                x, y, rows, columns);
  };
  const int packs = ceil_div(columns + line - 1, 4 * stream_threads);
  if (packs <= 1) return rung(std::integral_constant<int, 1>());
  if (packs <= 5) return rung(std::integral_constant<int, 5>());
  if (packs <= 25) return rung(std::integral_constant<int, 25>());
  run.skip(name, "more than 51169 columns do not fit the registers of one block");
}

void softmax_rungs(lesson::Trial& run) {
  const int rows = run.size()[0];
  const int columns = run.size()[1];
  const std::vector<float> host = softmax_input(rows, columns);
  const float* x = run.input("x", host);
  float* y = run.output("y", softmax_reference(host, columns), softmax_tolerance, columns);
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
  streamed_rung(run, x, y, rows, columns);
  cluster_rung(run, x, y, rows, columns);
}

}  // namespace

void softmax_ladder(lesson::Run& run) {
  run.ladder({.name = "softmax",
              .title = "exp(x - largest) over its sum, for each row, float32",
              .full = {2048, 50257},
              .small = {8, 8192},
              .awkward = {{1, 1}, {5, 31}, {7, 33}, {3, 1000}, {3, 1025}, {2, 5003}},
              .needs = softmax_needs},
             softmax_rungs);
}
