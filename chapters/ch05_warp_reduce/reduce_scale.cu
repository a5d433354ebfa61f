/// \file
/// ReduceScale: every row of a matrix divided by its largest absolute value.
///
/// The question: the result moves eight bytes an element, so a copy of the matrix is the limit.
/// What keeps the obvious kernel from it: the reduction, the instructions, or the memory accesses?
///
///     build/ch05_warp_reduce                        # the ladder
///     build/ch05_warp_reduce --only "warp per row" --size 1000x33
///     build/ch05_warp_reduce --view packs           # its accesses, line by line
///
/// Stated for every rung, and tested: a row of zeros stays zeros; a NaN is ignored when the largest
/// value is looked for, and stays a NaN in its place; an infinity makes the finite elements of
/// its row zero and itself a NaN. The division is correctly rounded.
///
/// The rungs of `reduce_scale`, as the table lists them, and their kernels:
///
///      1  block per row        reduce_scale_1_block
///      2  block by shuffles    reduce_scale_2_shuffle
///      3  16-byte packs        reduce_scale_3_packs
///      4  warp per row         reduce_scale_4_warp
///      5  two rows in flight   reduce_scale_5_rows_in_flight<N, 2>
///      6  four rows in flight  reduce_scale_5_rows_in_flight<N, 4>
#include <cmath>
#include <cstdint>
#include <cub/block/block_reduce.cuh>
#include <limits>
#include <vector>

#include "base/algorithm.h"
#include "base/numbers.h"
#include "lesson/run.h"
#include "rows.h"

namespace lesson = warpwise::lesson;
using namespace rows;

namespace {

// ---- reference ----

/// Row-major, host. @param x rows * columns floats. @return rows * columns doubles.
std::vector<double> reduce_scale_reference(const std::vector<float>& x, int rows, int columns) {
  std::vector<double> y(x.size());
  for (int row = 0; row < rows; ++row) {
    const std::size_t begin = static_cast<std::size_t>(row) * columns;
    double largest = 0;
    for (int column = 0; column < columns; ++column) {
      largest = std::fmax(largest, std::fabs(static_cast<double>(x[begin + column])));
    }
    const double scale = largest > 0 ? largest : 1;
    for (int column = 0; column < columns; ++column) {
      y[begin + column] = x[begin + column] / scale;
    }
  }
  return y;
}

/// Numbers in [-1, 1) that repeat on every machine, with the rows that are easily forgotten:
/// 1 all zero, 2 with a NaN, 3 with infinities, 4 all NaN, 5 subnormal.
std::vector<float> reduce_scale_input(int rows, int columns) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  constexpr float infinity = std::numeric_limits<float>::infinity();
  std::vector<float> x(static_cast<std::size_t>(rows) * columns);
  lesson::RandomBits bits(1);
  for (float& value : x) value = bits.signed_fraction();
  const auto row = [&](int index) {
    return x.begin() + static_cast<std::ptrdiff_t>(index) * columns;
  };
  if (rows > 1) std::fill_n(row(1), columns, 0.0F);
  if (rows > 2) row(2)[columns / 2] = nan;
  if (rows > 3) row(3)[0] = row(3)[columns - 1] = -infinity;
  if (rows > 4) std::fill_n(row(4), columns, nan);
  if (rows > 5) std::for_each(row(5), row(5) + columns, [](float& value) { value *= 1e-40F; });
  return x;
}

// ---- shared by the rungs ----

constexpr int block_threads = 128;

/// What a row is divided by: 1 for a row of zeros, so that it stays zeros.
__device__ float scale_of(float largest) { return largest > 0 ? largest : 1.0F; }

// ---- rung 1: a block per row, cub::BlockReduce ----

/// fmaxf returns the number when the other is a NaN.
struct Larger {
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};

/// A block reduces a row with the library's collective, then reads the row again to scale it.
/// @param[in] x rows * columns, row-major, device. @param[out] y the same shape, device.
/// @pre blocks of 128 threads, any grid: a block takes every gridDim.x-th row.
/// @cost reads x twice, writes y once: 12 bytes an element of which 8 are needed; 1 division.
/// @source the CUB manual, cub::BlockReduce.
__global__ void reduce_scale_1_block(const float* x, float* y, int rows, int columns) {
  using BlockReduce = cub::BlockReduce<float, block_threads>;
  __shared__ BlockReduce::TempStorage storage;
  __shared__ float row_scale;
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    const float* in = x + row_begin(row, columns);
    float* out = y + row_begin(row, columns);
    float largest = 0;
    for (int column = threadIdx.x; column < columns; column += block_threads) {
      largest = fmaxf(largest, fabsf(in[column]));
    }
    largest = BlockReduce(storage).Reduce(largest, Larger());
    // Only thread 0 has the result.
    if (threadIdx.x == 0) row_scale = scale_of(largest);
    __syncthreads();
    const float scale = row_scale;
    for (int column = threadIdx.x; column < columns; column += block_threads) {
      out[column] = in[column] / scale;
    }
    // The next row overwrites row_scale and storage.
    __syncthreads();
  }
}

// ---- rung 2: the block reduces by warp shuffles ----

/// The largest value of a warp, in every lane: after the step of distance d, lanes that differ only
/// in bits from d upward agree. @pre all 32 lanes call it.
__device__ float warp_largest(float value) {
  for (int distance = warp_size / 2; distance > 0; distance /= 2) {
    value = fmaxf(value, __shfl_xor_sync(0xFFFFFFFF, value, distance));
  }
  return value;
}

/// The largest value of a block, in every thread: each warp reduces the warps' values once more.
/// @param partial shared memory, a float for each warp; free again after the next barrier.
/// @pre all threads of the block call it; whole warps.
__device__ float block_largest(float value, float* partial) {
  value = warp_largest(value);
  if (threadIdx.x % warp_size == 0) partial[threadIdx.x / warp_size] = value;
  // Every warp's value is there before any thread reads them.
  __syncthreads();
  const int lane = threadIdx.x % warp_size;
  return warp_largest(lane < blockDim.x / warp_size ? partial[lane] : 0.0F);
}

/// Lanes exchange registers; shared memory carries one float a warp instead of a collective's
/// storage. The result is in every thread: the broadcast of rung 1 is gone, and its barrier.
/// @param[in] x rows * columns, row-major, device. @param[out] y the same shape, device.
/// @pre blocks of 128 threads, any grid: a block takes every gridDim.x-th row.
/// @cost as rung 1.
/// @source CUDA C++ Programming Guide, warp shuffle functions.
__global__ void reduce_scale_2_shuffle(const float* x, float* y, int rows, int columns) {
  __shared__ float partial[block_threads / warp_size];
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    const float* in = x + row_begin(row, columns);
    float* out = y + row_begin(row, columns);
    float largest = 0;
    for (int column = threadIdx.x; column < columns; column += block_threads) {
      largest = fmaxf(largest, fabsf(in[column]));
    }
    const float scale = scale_of(block_largest(largest, partial));
    for (int column = threadIdx.x; column < columns; column += block_threads) {
      out[column] = in[column] / scale;
    }
    // The next row overwrites partial.
    __syncthreads();
  }
}

// ---- rung 3: 16-byte packs ----

/// By value: through a reference the compiler loads the floats one by one, four requests for one.
template <int N>
__device__ float pack_largest(Pack<N> pack, float largest) {
#pragma unroll
  for (int i = 0; i < N; ++i) largest = fmaxf(largest, fabsf(pack.value[i]));
  return largest;
}

template <int N>
__device__ Pack<N> divided(Pack<N> pack, float scale) {
#pragma unroll
  for (int i = 0; i < N; ++i) pack.value[i] /= scale;
  return pack;
}

/// Each thread takes N neighbouring floats at a time: a quarter of the requests, four times as many
/// sectors in each, and a row of 128 needs one warp instead of four.
/// @tparam N 4; 1 where columns are not a multiple of 4, since a row must begin at a whole pack.
/// @param[in] x rows * columns, row-major, device. @param[out] y the same shape, device.
/// @pre columns % N == 0; blocks of whole warps, at most 128 threads; any grid.
/// @cost as rung 1, in 1/N of the instructions.
/// @source CUDA C++ Programming Guide, device memory accesses: 16-byte alignment.
template <int N>
__global__ void reduce_scale_3_packs(const float* x, float* y, int rows, int columns) {
  __shared__ float partial[block_threads / warp_size];
  const int packs = columns / N;
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    const auto* in = reinterpret_cast<const Pack<N>*>(x + row_begin(row, columns));
    auto* out = reinterpret_cast<Pack<N>*>(y + row_begin(row, columns));
    float largest = 0;
    for (int pack = threadIdx.x; pack < packs; pack += blockDim.x) {
      largest = pack_largest(in[pack], largest);
    }
    const float scale = scale_of(block_largest(largest, partial));
    for (int pack = threadIdx.x; pack < packs; pack += blockDim.x) {
      out[pack] = divided(in[pack], scale);
    }
    // The next row overwrites partial.
    __syncthreads();
  }
}

// ---- rung 4: a warp per row, the row in registers ----

/// A warp keeps its row in registers between the two passes: x is read once. Nothing is shared, so
/// no barrier is needed, and the warps of a block never wait for each other.
/// @tparam N as in rung 3. @tparam packs of a lane: N * packs * 32 columns at most.
/// @param[in] x rows * columns, row-major, device. @param[out] y the same shape, device.
/// @pre columns % N == 0; columns <= N * packs * 32; blocks of (32, 4) threads, any grid.
/// @cost reads x once, writes y once: the 8 bytes an element that are needed.
/// @source OneFlow's notes on softmax and on element-wise kernels, for the idea.
template <int N, int packs>
__global__ void __launch_bounds__(block_threads)
    reduce_scale_4_warp(const float* x, float* y, int rows, int columns) {
  const int lane = threadIdx.x;
  const int packs_in_row = columns / N;
  const int warps = gridDim.x * blockDim.y;
  for (int row = blockIdx.x * blockDim.y + threadIdx.y; row < rows; row += warps) {
    const auto* in = reinterpret_cast<const Pack<N>*>(x + row_begin(row, columns));
    auto* out = reinterpret_cast<Pack<N>*>(y + row_begin(row, columns));
    Pack<N> kept[packs];
    float largest = 0;
    // Unrolled, so that every index into kept is a constant and kept is registers.
#pragma unroll
    for (int i = 0; i < packs; ++i) {
      const int pack = i * warp_size + lane;
      kept[i] = pack < packs_in_row ? in[pack] : Pack<N>{};
      largest = pack_largest(kept[i], largest);
    }
    const float scale = scale_of(warp_largest(largest));
#pragma unroll
    for (int i = 0; i < packs; ++i) {
      const int pack = i * warp_size + lane;
      if (pack < packs_in_row) out[pack] = divided(kept[i], scale);
    }
  }
}

// ---- rungs 5 and 6, reduce_scale_5_rows_in_flight: a warp with several rows in flight ----

/// A row of 128 is one load of a lane: a warp of rung 4 waits for 512 bytes, reduces, stores, and
/// has nothing in flight meanwhile. Here it loads `rows_at_once` rows before it reduces the first,
/// and their shuffles do not wait for each other.
/// @tparam N as in rung 3. @tparam rows_at_once of a warp, neighbours.
/// @param[in] x rows * columns, row-major, device. @param[out] y the same shape, device.
/// @pre columns % N == 0; columns <= N * 32; blocks of (32, 4) threads, any grid.
/// @cost as rung 4.
template <int N, int rows_at_once>
__global__ void __launch_bounds__(block_threads)
    reduce_scale_5_rows_in_flight(const float* x, float* y, int rows, int columns) {
  const int lane = threadIdx.x;
  const bool has_pack = lane < columns / N;
  const int stride = gridDim.x * blockDim.y * rows_at_once;
  for (int first = (blockIdx.x * blockDim.y + threadIdx.y) * rows_at_once; first < rows;
       first += stride) {
    Pack<N> kept[rows_at_once];
#pragma unroll
    for (int i = 0; i < rows_at_once; ++i) {
      const auto* in = reinterpret_cast<const Pack<N>*>(x + row_begin(first + i, columns));
      kept[i] = has_pack && first + i < rows ? in[lane] : Pack<N>{};
    }
    float largest[rows_at_once];
#pragma unroll
    for (int i = 0; i < rows_at_once; ++i) {
      largest[i] = warp_largest(pack_largest(kept[i], 0));
    }
#pragma unroll
    for (int i = 0; i < rows_at_once; ++i) {
      auto* out = reinterpret_cast<Pack<N>*>(y + row_begin(first + i, columns));
      if (has_pack && first + i < rows) out[lane] = divided(kept[i], scale_of(largest[i]));
    }
  }
}

// ---- launchers ----

template <int N>
void packs_rung(lesson::Trial& run, const float* x, float* y, int rows, int columns) {
  const int warps = std::clamp(ceil_div(columns / N, warp_size), 1, block_threads / warp_size);
  run.variant("16-byte packs", reduce_scale_3_packs<N>,
              {.grid = std::min(rows, most_blocks), .block = warps * warp_size}, x, y, rows,
              columns);
}

/// The instance with the fewest registers that holds the row: 4, 32 or 128 floats a lane.
template <int N>
void warp_rung(lesson::Trial& run, const float* x, float* y, int rows, int columns) {
  constexpr int warps = block_threads / warp_size;
  const auto* name = "warp per row";
  const lesson::Shape shape{.grid = std::min(ceil_div(rows, warps), most_blocks),
                            .block = {warp_size, warps}};
  const int floats = ceil_div(columns, warp_size);
  if (floats <= 4) {
    run.variant(name, reduce_scale_4_warp<N, 4 / N>, shape, x, y, rows, columns);
  } else if (floats <= 32) {
    run.variant(name, reduce_scale_4_warp<N, 32 / N>, shape, x, y, rows, columns);
  } else if (floats <= 128) {
    run.variant(name, reduce_scale_4_warp<N, 128 / N>, shape, x, y, rows, columns);
  } else {
    run.skip(name, "more than 4096 columns do not fit the registers of one warp");
  }
}

template <int N, int rows_at_once>
void rows_in_flight_rung(lesson::Trial& run, const char* name, const float* x, float* y, int rows,
                         int columns) {
  constexpr int warps = block_threads / warp_size;
  if (columns > N * warp_size) return run.skip(name, "a row must be one pack of a lane at most");
  run.variant(name, reduce_scale_5_rows_in_flight<N, rows_at_once>,
              {.grid = std::min(ceil_div(rows, warps * rows_at_once), most_blocks),
               .block = {warp_size, warps}},
              x, y, rows, columns);
}

/// x and y of one size, device.
struct Arrays {
  const float* x;
  float* y;
};

Arrays reduce_scale_arrays(lesson::Trial& run) {
  const int rows = run.size()[0];
  const int columns = run.size()[1];
  const std::vector<float> host = reduce_scale_input(rows, columns);
  const float* x = run.input("x", host);
  // A correctly rounded quotient is within half a unit in the last place.
  const lesson::Tolerance half_a_unit{.absolute = 0x1p-150, .relative = 0x1p-24};
  return {x, run.output("y", reduce_scale_reference(host, rows, columns), half_a_unit, columns)};
}

/// The problem at one size, and its rungs.
void reduce_scale_rungs(lesson::Trial& run) {
  const int rows = run.size()[0];
  const int columns = run.size()[1];
  const auto [x, y] = reduce_scale_arrays(run);

  const int blocks = std::min(rows, most_blocks);
  run.variant("block per row", reduce_scale_1_block, {.grid = blocks, .block = block_threads}, x, y,
              rows, columns);
  run.variant("block by shuffles", reduce_scale_2_shuffle, {.grid = blocks, .block = block_threads},
              x, y, rows, columns);
  if (columns % 4 == 0) {
    packs_rung<4>(run, x, y, rows, columns);
    warp_rung<4>(run, x, y, rows, columns);
    rows_in_flight_rung<4, 2>(run, "two rows in flight", x, y, rows, columns);
    rows_in_flight_rung<4, 4>(run, "four rows in flight", x, y, rows, columns);
  } else {
    packs_rung<1>(run, x, y, rows, columns);
    warp_rung<1>(run, x, y, rows, columns);
    rows_in_flight_rung<1, 2>(run, "two rows in flight", x, y, rows, columns);
    rows_in_flight_rung<1, 4>(run, "four rows in flight", x, y, rows, columns);
  }
}

/// Rung 3 changes two things: what a thread loads at a time, and the threads of a block. Here is
/// its kernel with each of them alone: packs of 1 and of 4 floats, in blocks of 1, 2 and 4 warps.
void two_changes_rungs(lesson::Trial& run) {
  const int rows = run.size()[0];
  const int columns = run.size()[1];
  const auto [x, y] = reduce_scale_arrays(run);
  const lesson::Shape shape{.grid = std::min(rows, most_blocks), .block = run.value()};
  run.variant("1 float", reduce_scale_3_packs<1>, shape, x, y, rows, columns);
  if (columns % 4 == 0) {
    run.variant("4 floats", reduce_scale_3_packs<4>, shape, x, y, rows, columns);
  } else {
    run.skip("4 floats", "a row begins at a whole pack only when the columns are a multiple of 4");
  }
}

lesson::Needs needs_of(const lesson::Size& size) {
  const auto elements = static_cast<double>(size.elements());
  return {.bytes = 8 * elements, .flops = elements};
}

}  // namespace

void reduce_scale_ladder(lesson::Run& run) {
  run.ladder(
      {.name = "reduce_scale",
       .title = "each row divided by its largest absolute value, float32",
       .full = {442368, 128},
       .small = {12288, 128},
       .awkward =
           {{1, 1}, {7, 31}, {8, 33}, {9, 96}, {7, 97}, {33, 127}, {8, 130}, {7, 1000}, {7, 4096}},
       .needs = needs_of},
      reduce_scale_rungs);
  run.sweep({.parameter = "threads a block",
             .values = {32, 64, 128},
             .shows = {lesson::Shown::load_sectors, lesson::Shown::resident_warps}},
            {.name = "two_changes",
             .title = "the two changes of rung 3: floats per access, and threads per block",
             .full = {442368, 128},
             .small = {2048, 128},
             .awkward = {{7, 100}, {33, 132}},
             .needs = needs_of},
            two_changes_rungs);
}
