/// \file
/// The product C = A B in fp32, with more and more outputs for each thread.
///
/// The question: a thread with one output reads two floats from shared memory for each
/// multiply-add. A thread with 8 x 8 outputs reads 16 for 64. It also needs four times the
/// registers, so that the SM holds a quarter of the warps. Which of the two decides?
///
///     build/ch04_occupancy --only product
///     build/ch04_occupancy --only product --size 1000x1000x1000
///
/// The rungs of `product`, as the table lists them, and their kernels:
///
///      1  one output     product_1_output
///      2  8 x 1 outputs  product_2_column
///      3  8 x 8 outputs  product_3_square
///      4  16-byte packs  product_4_packs
///      5  warp tiles     product_warp_tiles
///      6  async tiles    product_async_tiles
///      7  tile by shape  product_async_tiles
///      8  cuBLAS fp32    the library
#include <cmath>
#include <cstddef>

#include "async_tiles.cuh"
#include "product_problem.h"

namespace lesson = warpwise::lesson;

namespace {

// ---- rung 1: one output a thread ----

constexpr int tile = 32;

/// Chapter 3's product: a block stages a tile of A and one of B, each thread adds up one element.
/// @param[in] A M * K, row-major, device. @param[in] B K * N, the same. @param[out] C M * N.
/// @pre blocks of (32, 32) threads; grid (ceil(N / 32), ceil(M / 32)).
/// @cost 2 M N K flops; 2 floats from shared memory for each multiply-add.
__global__ void product_1_output(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float a_tile[tile][tile], b_tile[tile][tile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * tile + y, column = blockIdx.x * tile + x;
  float sum = 0;
  for (int k = 0; k < K; k += tile) {
    a_tile[y][x] = row < M && k + x < K ? A[static_cast<std::size_t>(row) * K + k + x] : 0.0F;
    b_tile[y][x] = k + y < K && column < N ? B[static_cast<std::size_t>(k + y) * N + column] : 0.0F;
    __syncthreads();
    for (int i = 0; i < tile; ++i) sum = fmaf(a_tile[y][i], b_tile[i][x], sum);
    // The next step overwrites the tiles.
    __syncthreads();
  }
  if (row < M && column < N) C[static_cast<std::size_t>(row) * N + column] = sum;
}

// ---- rung 2: a column of outputs ----

/// A thread adds up eight elements of one column: what it reads of B serves eight multiply-adds.
/// @param[in] A M * K, row-major, device. @param[in] B K * N, the same. @param[out] C M * N.
/// @pre blocks of (64, 8) threads; grid (ceil(N / 64), ceil(M / 64)).
/// @cost as rung 1, with 9 floats from shared memory for 8 multiply-adds.
__global__ void __launch_bounds__(512)
    product_2_column(const float* A, const float* B, float* C, int M, int N, int K) {
  constexpr int BM = 64, BN = 64, BK = 8, TM = 8;
  __shared__ float a_tile[BM * BK], b_tile[BK * BN];
  const int block_row = blockIdx.y * BM, block_column = blockIdx.x * BN;
  const int thread = threadIdx.y * BN + threadIdx.x;
  // One element of each tile a thread.
  const int a_row = thread / BK, a_k = thread % BK;
  const int column = block_column + threadIdx.x;
  float sum[TM] = {};
  for (int k = 0; k < K; k += BK) {
    const bool a_inside = block_row + a_row < M && k + a_k < K;
    a_tile[thread] = a_inside ? A[static_cast<std::size_t>(block_row + a_row) * K + k + a_k] : 0.0F;
    const bool b_inside = k + threadIdx.y < K && column < N;
    b_tile[thread] = b_inside ? B[static_cast<std::size_t>(k + threadIdx.y) * N + column] : 0.0F;
    __syncthreads();
#pragma unroll
    for (int step = 0; step < BK; ++step) {
      const float b = b_tile[step * BN + threadIdx.x];
#pragma unroll
      for (int i = 0; i < TM; ++i) {
        sum[i] = fmaf(a_tile[(threadIdx.y * TM + i) * BK + step], b, sum[i]);
      }
    }
    // The next step overwrites the tiles.
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < TM; ++i) {
    const int row = block_row + threadIdx.y * TM + i;
    if (row < M && column < N) C[static_cast<std::size_t>(row) * N + column] = sum[i];
  }
}

// ---- rung 3: a square of outputs ----

/// A thread adds up 8 x 8 elements, 16 rows and columns apart, so that the lanes of a warp read
/// neighbouring floats of B.
/// @param[in] A M * K, row-major, device. @param[in] B K * N, the same. @param[out] C M * N.
/// @pre blocks of (16, 16) threads; grid (ceil(N / 128), ceil(M / 128)).
/// @cost as rung 1, with 16 floats from shared memory for 64 multiply-adds.
/// @source V. Volkov, "Better performance at lower occupancy", 2010, for the idea.
__global__ void __launch_bounds__(256)
    product_3_square(const float* A, const float* B, float* C, int M, int N, int K) {
  constexpr int BM = 128, BN = 128, BK = 8, T = 8, step_between = 16;
  __shared__ float a_tile[BM * BK], b_tile[BK * BN];
  const int block_row = blockIdx.y * BM, block_column = blockIdx.x * BN;
  const int thread = threadIdx.y * step_between + threadIdx.x;
  float sum[T][T] = {};
  for (int k = 0; k < K; k += BK) {
    for (int i = thread; i < BM * BK; i += 256) {
      const int row = block_row + i / BK, at = k + i % BK;
      a_tile[i] = row < M && at < K ? A[static_cast<std::size_t>(row) * K + at] : 0.0F;
      const int b_row = k + i / BN, b_column = block_column + i % BN;
      const bool inside = b_row < K && b_column < N;
      b_tile[i] = inside ? B[static_cast<std::size_t>(b_row) * N + b_column] : 0.0F;
    }
    __syncthreads();
#pragma unroll
    for (int step = 0; step < BK; ++step) {
      float a[T], b[T];
#pragma unroll
      for (int i = 0; i < T; ++i) {
        a[i] = a_tile[(threadIdx.y + i * step_between) * BK + step];
        b[i] = b_tile[step * BN + threadIdx.x + i * step_between];
      }
      add_outer_product(sum, a, b);
    }
    // The next step overwrites the tiles.
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < T; ++i) {
#pragma unroll
    for (int j = 0; j < T; ++j) {
      const int row = block_row + threadIdx.y + i * step_between;
      const int column = block_column + threadIdx.x + j * step_between;
      if (row < M && column < N) C[static_cast<std::size_t>(row) * N + column] = sum[i][j];
    }
  }
}

// ---- rung 4: 16 bytes at a time ----

/// Rung 3 with a quarter of the accesses: A is stored transposed in shared memory, so that both
/// operands of a thread come in fours.
/// @tparam pack 4, or 1 where K or N of the matrices is not a multiple of 4.
/// @param[in] A M * K, row-major, device. @param[in] B K * N, the same. @param[out] C M * N.
/// @pre blocks of (16, 16) threads; grid (ceil(N / 128), ceil(M / 128)).
/// @cost as rung 3, in a quarter of the requests.
template <int pack>
__global__ void __launch_bounds__(256)
    product_4_packs(const float* A, const float* B, float* C, int M, int N, int K) {
  constexpr int BM = 128, BN = 128, BK = 8, T = 8, across = 16;
  __shared__ __align__(16) float a_tile[BK * BM];
  __shared__ __align__(16) float b_tile[BK * BN];
  const int block_row = blockIdx.y * BM, block_column = blockIdx.x * BN;
  const int row = threadIdx.x / across * 4, column = threadIdx.x % across * 4;
  Carried<BM, BK, 256, pack> a_carried;
  Carried<BK, BN, 256, pack> b_carried;
  float sum[T][T] = {};
  for (int k = 0; k < K; k += BK) {
    a_carried.load(A, block_row, k, M, K);
    b_carried.load(B, k, block_column, K, N);
    a_carried.store_transposed(a_tile, BM);
    b_carried.store(b_tile);
    __syncthreads();
#pragma unroll
    for (int step = 0; step < BK; ++step) {
      float a[T], b[T];
      read_fours(a, &a_tile[step * BM + row], 4 * across);
      read_fours(b, &b_tile[step * BN + column], 4 * across);
      add_outer_product(sum, a, b);
    }
    // The next step overwrites the tiles.
    __syncthreads();
  }
  store_fours<pack>(C, sum, block_row + row, block_column + column, 4 * across, 4 * across, M, N);
}

// ---- launchers ----

using BestTiling = Tiling<128, 128, 16, 64, 64, 8, 16, 2>;

// ---- rungs 6 and 7: async_tiles.cuh ----

/// The product alone, by asynchronous tiles. \copydetails product_by_async_tiles
/// @param[out] C M * N, row-major, device.
template <class S, bool whole>
__global__ void __launch_bounds__(S::threads, S::blocks_per_sm)
    product_async_tiles(const float* A, const float* B, float* C, int M, int N, int K) {
  product_by_async_tiles<S, whole>(
      A, B, M, N, K, [&](const float(&sum)[S::TM][S::TN], int row, int column) {
        store_fours<4>(C, sum, row, column, 4 * S::lanes_down, 4 * S::lanes_across, M, N);
      });
}

template <class S>
void async_tiles(lesson::Trial& run, const char* name, const Problem& p) {
  if (!p.in_packs()) return run.skip(name, "rows of A and B must begin at multiples of 16 bytes");
  int major = 0;
  lesson::check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
  if (major < 8) return run.skip(name, "asynchronous copies begin with sm_80");
  const bool whole = p.M % S::BM == 0 && p.N % S::BN == 0 && p.K % S::BK == 0;
  const dim3 tiles = p.grid(S::BM, S::BN);
  run.variant(name, whole ? product_async_tiles<S, true> : product_async_tiles<S, false>,
              {.grid = tiles.x * tiles.y, .block = S::threads, .shared_bytes = S::shared_bytes},
              p.A, p.B, p.C, p.M, p.N, p.K);
}

void tile_by_shape(lesson::Trial& run, const char* name, const Problem& p) {
  int sms = 0;
  lesson::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  if (takes_narrow(p.M, p.N, sms)) {
    async_tiles<NarrowTiles>(run, name, p);
  } else {
    async_tiles<AsyncTiles>(run, name, p);
  }
}

void product_rungs(lesson::Trial& run) {
  const Problem p(run);
  run.variant("one output", product_1_output, {.grid = p.grid(tile, tile), .block = {tile, tile}},
              p.A, p.B, p.C, p.M, p.N, p.K);
  run.variant("8 x 1 outputs", product_2_column, {.grid = p.grid(64, 64), .block = {64, 8}}, p.A,
              p.B, p.C, p.M, p.N, p.K);
  run.variant("8 x 8 outputs", product_3_square, {.grid = p.grid(128, 128), .block = {16, 16}}, p.A,
              p.B, p.C, p.M, p.N, p.K);
  const lesson::Shape packs{.grid = p.grid(128, 128), .block = 256};
  const auto kernel = p.in_packs() ? product_4_packs<4> : product_4_packs<1>;
  run.variant("16-byte packs", kernel, packs, p.A, p.B, p.C, p.M, p.N, p.K);
  tiling<BestTiling>(run, "warp tiles", p);
  async_tiles<AsyncTiles>(run, "async tiles", p);
  tile_by_shape(run, "tile by shape", p);
  run.yardstick(product_yardstick, p.cublas());
}

/// A product of few columns: attention's output in GPT-2.
void narrow_rungs(lesson::Trial& run) {
  const Problem p(run);
  tiling<BestTiling>(run, "narrow, warp tiles", p);
  async_tiles<AsyncTiles>(run, "narrow, 128 x 128", p);
  async_tiles<NarrowTiles>(run, "narrow, 128 x 64", p);
  tile_by_shape(run, "narrow, tile by shape", p);
  run.yardstick(product_yardstick, p.cublas());
}

}  // namespace

void product_ladder(lesson::Run& run) {
  run.ladder({.name = "product",
              .title = "C = A B in float32, M x N x K",
              .full = product_full,
              .small = product_small,
              .awkward = {{1, 1, 1}, {31, 33, 7}, {127, 130, 65}, {129, 132, 12}},
              .needs = product_needs,
              .limit = product_yardstick},
             product_rungs);
  run.ladder({.name = "narrow_product",
              .title = "C = A B in float32 with few columns, M x N x K",
              .full = {4096, 768, 768},
              .small = {256, 128, 64},
              .awkward = {{129, 132, 20}},
              .needs = product_needs,
              .limit = product_yardstick},
             narrow_rungs);
}
