/// \file
/// A transpose: y[column][row] = x[row][column]. Nothing is computed; one side must be strided.
///
/// The question: a warp that reads along a row has to write along a column. Can a tile in shared
/// memory take the strided step, and what does the step cost there?
///
///     build/ch03_shared_memory_banks --only transpose
///     build/ch03_shared_memory_banks --view "tile"      # wavefronts, line by line
///
/// The rungs of `transpose`, as the table lists them, and their kernels:
///
///      1  naive             transpose_1_naive
///      2  tile              transpose_2_tile<0>
///      3  tile, padded      transpose_2_tile<1>
///      4  tile, swizzled    transpose_4_swizzled
///      5  float4, swizzled  transpose_5_float4
///      6  float4, down      transpose_6_down
#include <vector>

#include "base/algorithm.h"
#include "base/numbers.h"
#include "lesson/run.h"

namespace lesson = warpwise::lesson;

namespace {

constexpr int tile = 32;
/// A block of (32, 8) threads takes a tile of 32 x 32 in four steps.
constexpr int block_rows = 8;

__device__ size_t offset(int row, int column, int columns) {
  return static_cast<size_t>(row) * columns + column;
}

// ---- rung 1: straight through ----

/// Reads along rows, writes along columns: each store touches 32 sectors.
/// @param[in] x rows * columns, row-major, device. @param[out] y columns * rows, row-major, device.
/// @pre blocks of (32, 8) threads; a block for each tile of 32 x 32.
/// @cost 8 bytes an element are needed; the stores move eight times theirs.
__global__ void transpose_1_naive(const float* x, float* y, int rows, int columns) {
  const int column = blockIdx.x * tile + threadIdx.x;
  for (int step = threadIdx.y; step < tile; step += block_rows) {
    const int row = blockIdx.y * tile + step;
    if (row < rows && column < columns)
      y[offset(column, row, rows)] = x[offset(row, column, columns)];
  }
}

// ---- rungs 2 and 3, transpose_2_tile: the tile turns in shared memory ----

/// Reads a tile row by row, writes it column by column from shared memory: both sides of global
/// memory see whole sectors. The strided step is the read from shared memory.
/// @tparam padding words after each row of the tile. With 0 a column's words are in one bank, and
/// a request takes 32 wavefronts; with 1 each row begins one bank later, and it takes one.
/// @param[in] x rows * columns, row-major, device. @param[out] y columns * rows, row-major, device.
/// @pre blocks of (32, 8) threads; a block for each tile of 32 x 32.
/// @cost 8 bytes an element.
/// @source NVIDIA's developer blog, an efficient matrix transpose, for the padding.
template <int padding>
__global__ void transpose_2_tile(const float* x, float* y, int rows, int columns) {
  __shared__ float turning[tile][tile + padding];
  const int column = blockIdx.x * tile + threadIdx.x;
  for (int step = threadIdx.y; step < tile; step += block_rows) {
    const int row = blockIdx.y * tile + step;
    if (row < rows && column < columns)
      turning[step][threadIdx.x] = x[offset(row, column, columns)];
  }
  // A column of the tile was written by all warps.
  __syncthreads();
  const int row = blockIdx.y * tile + threadIdx.x;
  for (int step = threadIdx.y; step < tile; step += block_rows) {
    const int out = blockIdx.x * tile + step;
    if (row < rows && out < columns) y[offset(out, row, rows)] = turning[threadIdx.x][step];
  }
}

// ---- rung 4, transpose_4_swizzled: swizzled instead of padded ----

/// The word of (row, column) is at place column ^ row of its row: each row is a permutation of
/// the banks, so rows and columns are both free of conflicts, and no word is wasted.
/// @param[in] x rows * columns, row-major, device. @param[out] y columns * rows, row-major, device.
/// @pre blocks of (32, 8) threads; a block for each tile of 32 x 32.
/// @cost as rung 3.
__global__ void transpose_4_swizzled(const float* x, float* y, int rows, int columns) {
  __shared__ float turning[tile][tile];
  const int column = blockIdx.x * tile + threadIdx.x;
  for (int step = threadIdx.y; step < tile; step += block_rows) {
    const int row = blockIdx.y * tile + step;
    if (row < rows && column < columns) {
      turning[step][threadIdx.x ^ step] = x[offset(row, column, columns)];
    }
  }
  // A column of the tile was written by all warps.
  __syncthreads();
  const int row = blockIdx.y * tile + threadIdx.x;
  for (int step = threadIdx.y; step < tile; step += block_rows) {
    const int out = blockIdx.x * tile + step;
    if (row < rows && out < columns) {
      y[offset(out, row, rows)] = turning[threadIdx.x][step ^ threadIdx.x];
    }
  }
}

// ---- rung 5, transpose_5_float4: 16 bytes per thread on both sides ----

constexpr int wide_tile = 64;
constexpr int packs = wide_tile / 4;

/// A thread turns 4 x 4 elements in its registers: four packs of a row become four packs of a
/// column. Packs go through shared memory, 16 bytes at a time, swizzled as in rung 4.
/// @param first_row, first_column of the block's tile.
/// @pre rows and columns multiples of 4; 256 threads.
__device__ void turn_tile(const float* x, float* y, int rows, int columns, int first_row,
                          int first_column) {
  __shared__ float4 turning[wide_tile][packs];
  // The 4 x 4 elements of this thread, in packs from the tile's corner.
  const int across = threadIdx.x % packs, down = threadIdx.x / packs;
  const int row = first_row + 4 * down;
  const int column = first_column + 4 * across;
  if (row < rows && column < columns) {
    float4 in[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      in[i] = *reinterpret_cast<const float4*>(x + offset(row + i, column, columns));
    }
    const int place = down ^ across;
    turning[4 * across + 0][place] = {in[0].x, in[1].x, in[2].x, in[3].x};
    turning[4 * across + 1][place] = {in[0].y, in[1].y, in[2].y, in[3].y};
    turning[4 * across + 2][place] = {in[0].z, in[1].z, in[2].z, in[3].z};
    turning[4 * across + 3][place] = {in[0].w, in[1].w, in[2].w, in[3].w};
  }
  // The packs of a column were written by all warps.
  __syncthreads();
  const int out_row = first_row + 4 * across;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const int step = down + i * packs;
    const int out_column = first_column + step;
    if (out_row < rows && out_column < columns) {
      *reinterpret_cast<float4*>(y + offset(out_column, out_row, rows)) =
          turning[step][across ^ (step / 4)];
    }
  }
}

/// \copybrief turn_tile
/// @param[in] x rows * columns, row-major, device, on a 16-byte boundary.
/// @param[out] y columns * rows, row-major, device, on a 16-byte boundary.
/// @pre rows and columns multiples of 4; blocks of 256 threads; a block for each tile of 64 x 64.
/// @cost as rung 3, in a quarter of the requests on each side.
__global__ void __launch_bounds__(packs* packs)
    transpose_5_float4(const float* x, float* y, int rows, int columns) {
  turn_tile(x, y, rows, columns, blockIdx.y * wide_tile, blockIdx.x * wide_tile);
}

// ---- rung 6, transpose_6_down: which tiles are turned at the same time ----

/// Blocks start in the order of their numbers, x first. In rung 5 neighbours read side by side and
/// write to rows that are 64 apart. Here x walks down the tiles of a column: neighbours write side
/// by side, and read 64 rows apart.
/// @param[in] x rows * columns, row-major, device, on a 16-byte boundary.
/// @param[out] y columns * rows, row-major, device, on a 16-byte boundary.
/// @pre rows and columns multiples of 4; blocks of 256 threads; a block for each tile of 64 x 64: x
/// down, y across.
/// @cost as rung 5.
__global__ void __launch_bounds__(packs* packs)
    transpose_6_down(const float* x, float* y, int rows, int columns) {
  turn_tile(x, y, rows, columns, blockIdx.x * wide_tile, blockIdx.y * wide_tile);
}

// ---- launchers ----

void transpose_rungs(lesson::Trial& run) {
  const int rows = run.size()[0];
  const int columns = run.size()[1];
  const std::vector<float> host = lesson::uniform_numbers(run.size().elements());
  std::vector<double> expected(host.size());
  // By blocks, so that the host does not trip over its own caches.
  for (int begin = 0; begin < columns; begin += tile) {
    for (int row = 0; row < rows; ++row) {
      for (int column = begin; column < std::min(begin + tile, columns); ++column) {
        expected[static_cast<std::size_t>(column) * rows + row] =
            host[static_cast<std::size_t>(row) * columns + column];
      }
    }
  }
  const float* x = run.input("x", host);
  float* y = run.output("y", std::move(expected), {}, rows);
  const auto tiles = [&](int side) {
    return dim3(lesson::ceil_div(columns, side), lesson::ceil_div(rows, side));
  };
  const lesson::Shape by_tile{.grid = tiles(tile), .block = {tile, block_rows}};
  run.variant("naive", transpose_1_naive, by_tile, x, y, rows, columns);
  run.variant("tile", transpose_2_tile<0>, by_tile, x, y, rows, columns);
  run.variant("tile, padded", transpose_2_tile<1>, by_tile, x, y, rows, columns);
  run.variant("tile, swizzled", transpose_4_swizzled, by_tile, x, y, rows, columns);
  if (rows % 4 == 0 && columns % 4 == 0) {
    run.variant("float4, swizzled", transpose_5_float4,
                {.grid = tiles(wide_tile), .block = packs * packs}, x, y, rows, columns);
    const dim3 across = tiles(wide_tile);
    run.variant("float4, down", transpose_6_down,
                {.grid = {across.y, across.x}, .block = packs * packs}, x, y, rows, columns);
  } else {
    for (const char* name : {"float4, swizzled", "float4, down"}) {
      run.skip(name, "rows and columns must be multiples of 4");
    }
  }
}

}  // namespace

void transpose_ladder(lesson::Run& run) {
  run.ladder({.name = "transpose",
              .title = "y[column][row] = x[row][column], float32",
              .full = {8192, 8192},
              .small = {256, 256},
              .awkward = {{1, 1}, {31, 33}, {1, 100}, {68, 36}, {130, 4}, {97, 65}},
              .needs =
                  [](const lesson::Size& size) {
                    return lesson::Needs{.bytes = 8.0 * static_cast<double>(size.elements())};
                  }},
             transpose_rungs);
}
