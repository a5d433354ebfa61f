/// \file
/// One product, C = A * B^T, from plain fp32 to a pipeline of bf16 tiles on tensor cores.
///
/// The question: tensor cores multiply a small tile in one instruction, fifteen times the rate of
/// fp32 arithmetic. What has to be built around that instruction before the rate arrives?
///
///     build/ch06_tensor_cores --only product
///     build/ch06_tensor_cores --only ldmatrix --size 300x200x100     # M x N x K
///     build/ch06_tensor_cores --view "plain loads"                   # bank conflicts, line by
///     line
///
/// The rungs of `product`, as the table lists them, and their kernels:
///
///      1  fp32 tiles                product_1_fp32
///      2  wmma tf32, one warp       product_2_wmma_one_warp
///      3  wmma tf32, shared tiles   product_3_wmma_shared
///      4  mma bf16, plain loads     product_4_plain_loads
///      5  mma bf16, ldmatrix        product_5_ldmatrix
///      6  mma bf16, swizzled        product_6_swizzle
///      7  mma bf16, cp.async x 2    product_pipelined
///      8  mma bf16, cp.async x 4    product_pipelined
///      9  wgmma bf16, cp.async x 4  product_9_wgmma
///     10  wgmma bf16, bulk x 4      product_10_bulk_copies
///     11  wgmma bf16, persistent    product_10_bulk_copies
///     12  mma bf16, bulk, persistent  product_12_bulk_mma
///     13  wgmma bf16, C by boxes      product_by_boxes
///     14  wgmma bf16, ping-pong       product_by_boxes
///     15  cuBLAS fp32                 the library
///     16  cuBLAS tf32                 the library
///     17  cuBLAS bf16                 the library
#include <mma.h>

#include "pipelined_product.h"
#include "product_problem.h"

namespace lesson = warpwise::lesson;

namespace tensor {
namespace {

// ---- rung 1: fp32, 16 x 16 tiles in shared memory ----

/// Chapter 3's tiled product: each thread one element of C, no tensor core.
/// @param[in] a M x K, b N x K, row-major, device. @param[out] c M x N, row-major, device.
/// @pre blocks of (16, 16) threads, a block for each tile of C: x along N, y along M.
/// @cost 2 M N K flops in fp32; every element of a and b is read N / 16 and M / 16 times.
/// @source CUDA C++ Programming Guide, shared memory.
__global__ void product_1_fp32(const float* a, const float* b, float* c, int M, int N, int K) {
  constexpr int tile = 16;
  __shared__ float tile_a[tile][tile];
  // One column more: threads of a warp read this tile down its columns.
  __shared__ float tile_b[tile][tile + 1];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row_a = blockIdx.y * tile + ty, row_b = blockIdx.x * tile + ty;
  float sum = 0;
  for (int first = 0; first < K; first += tile) {
    const int k = first + tx;
    tile_a[ty][tx] = row_a < M && k < K ? a[static_cast<size_t>(row_a) * K + k] : 0.0F;
    tile_b[ty][tx] = row_b < N && k < K ? b[static_cast<size_t>(row_b) * K + k] : 0.0F;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < tile; ++i) sum += tile_a[ty][i] * tile_b[tx][i];
    // Everybody has read the tiles before they are overwritten.
    __syncthreads();
  }
  const int column = blockIdx.x * tile + tx;
  if (row_a < M && column < N) c[static_cast<size_t>(row_a) * N + column] = sum;
}

// ---- rung 2: wmma in TF32, one warp, straight from global memory ----

namespace wmma = nvcuda::wmma;
constexpr int wmma_m = 16, wmma_n = 16, wmma_k = 8;
using WmmaA =
    wmma::fragment<wmma::matrix_a, wmma_m, wmma_n, wmma_k, wmma::precision::tf32, wmma::row_major>;
/// B^T row-major is B column-major.
using WmmaB =
    wmma::fragment<wmma::matrix_b, wmma_m, wmma_n, wmma_k, wmma::precision::tf32, wmma::col_major>;
using WmmaC = wmma::fragment<wmma::accumulator, wmma_m, wmma_n, wmma_k, float>;

/// The tensor core looks at 10 bits of a mantissa; rounding is left to the program.
template <class Fragment>
__device__ void round_to_tf32(Fragment& fragment) {
  for (int i = 0; i < fragment.num_elements; ++i) {
    fragment.x[i] = wmma::__float_to_tf32(fragment.x[i]);
  }
}

/// A block is one warp with one 16 x 16 tile of C: the article's first kernel, its advance by a
/// tile of k corrected. Every operand comes from global memory, for one use.
/// @param[in] a M x K, b N x K, row-major, device. @param[out] c M x N, row-major, device.
/// @pre M and N multiples of 16, K of 8: wmma loads whole tiles, and no guard fits in between.
/// Blocks of 32 threads, a block for each tile of C: x along N, y along M.
/// @cost 2 M N K flops in TF32; every element of a and b is read N / 16 and M / 16 times.
/// @source CUDA C++ Programming Guide, warp matrix functions.
__global__ void product_2_wmma_one_warp(const float* a, const float* b, float* c, int M, int N,
                                        int K) {
#if __CUDA_ARCH__ >= 800
  const float* rows_a = a + static_cast<size_t>(blockIdx.y) * wmma_m * K;
  const float* rows_b = b + static_cast<size_t>(blockIdx.x) * wmma_n * K;
  WmmaA part_a;
  WmmaB part_b;
  WmmaC sum;
  wmma::fill_fragment(sum, 0.0F);
  for (int k = 0; k < K; k += wmma_k) {
    wmma::load_matrix_sync(part_a, rows_a + k, K);
    wmma::load_matrix_sync(part_b, rows_b + k, K);
    round_to_tf32(part_a);
    round_to_tf32(part_b);
    wmma::mma_sync(sum, part_a, part_b, sum);
  }
  float* to = c + static_cast<size_t>(blockIdx.y) * wmma_m * N + blockIdx.x * wmma_n;
  wmma::store_matrix_sync(to, sum, N, wmma::mem_row_major);
#else
  __trap();
#endif
}

// ---- rung 3: wmma in TF32, tiles in shared memory ----

/// Four warps share a 64 x 64 tile of C, 32 x 32 each: what is loaded once is used four times by a
/// warp and twice by the block. Through shared memory the edges can be guarded.
/// @param[in] a M x K, b N x K, row-major, device. @param[out] c M x N, row-major, device.
/// @pre blocks of 128 threads, a block for each 64 x 64 tile of C: x along N, y along M.
/// @cost 2 M N K flops in TF32; every element of a and b is read N / 64 and M / 64 times.
/// @source CUDA C++ Programming Guide, warp matrix functions.
__global__ void __launch_bounds__(128)
    product_3_wmma_shared(const float* a, const float* b, float* c, int M, int N, int K) {
#if __CUDA_ARCH__ >= 800
  constexpr int tile = 64, depth = 32, part = 32;
  // Four floats more a row: the rows of a fragment begin in different banks.
  constexpr int row_of_k = depth + 4, row_of_c = tile + 4;
  // Both tiles, and after the last step the tile of C.
  __shared__ float storage[2 * tile * row_of_k];
  static_assert(tile * row_of_c <= 2 * tile * row_of_k);
  float* tile_a = storage;
  float* tile_b = storage + tile * row_of_k;
  const int first_m = blockIdx.y * tile, first_n = blockIdx.x * tile;
  const int warp = threadIdx.x / 32;
  const int part_m = warp / 2 * part, part_n = warp % 2 * part;

  WmmaC sum[2][2];
  for (auto& row : sum) {
    for (auto& fragment : row) wmma::fill_fragment(fragment, 0.0F);
  }
  for (int first_k = 0; first_k < K; first_k += depth) {
    for (int i = threadIdx.x; i < tile * depth; i += blockDim.x) {
      const int row = i / depth, k = first_k + i % depth;
      const int row_a = first_m + row, row_b = first_n + row;
      const int to = row * row_of_k + i % depth;
      tile_a[to] = row_a < M && k < K ? a[static_cast<size_t>(row_a) * K + k] : 0.0F;
      tile_b[to] = row_b < N && k < K ? b[static_cast<size_t>(row_b) * K + k] : 0.0F;
    }
    __syncthreads();
    for (int k = 0; k < depth; k += wmma_k) {
      WmmaA part_a[2];
      WmmaB part_b[2];
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        const int below = i * wmma_m;
        wmma::load_matrix_sync(part_a[i], tile_a + (part_m + below) * row_of_k + k, row_of_k);
        wmma::load_matrix_sync(part_b[i], tile_b + (part_n + below) * row_of_k + k, row_of_k);
        round_to_tf32(part_a[i]);
        round_to_tf32(part_b[i]);
      }
#pragma unroll
      for (int m = 0; m < 2; ++m) {
#pragma unroll
        for (int n = 0; n < 2; ++n) wmma::mma_sync(sum[m][n], part_a[m], part_b[n], sum[m][n]);
      }
    }
    // The next step, or the tile of C, overwrites the tiles.
    __syncthreads();
  }
  for (int m = 0; m < 2; ++m) {
    for (int n = 0; n < 2; ++n) {
      float* to = storage + (part_m + m * wmma_m) * row_of_c + part_n + n * wmma_n;
      wmma::store_matrix_sync(to, sum[m][n], row_of_c, wmma::mem_row_major);
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < tile * tile; i += blockDim.x) {
    const int row = first_m + i / tile, column = first_n + i % tile;
    if (row < M && column < N) {
      c[static_cast<size_t>(row) * N + column] = storage[i / tile * row_of_c + i % tile];
    }
  }
#else
  __trap();
#endif
}

// ---- rungs 4 to 6: mma.sync in bf16; how fragments leave shared memory ----

/// What rungs 4 to 6 have in common: a block takes 128 x 128 of C in steps of 32 in k, each of its
/// four warps 64 x 64, and an SM holds two blocks.
constexpr int step_tile = 128, step_k = 32, step_part = 64, step_threads = 128, step_blocks = 2;
/// Tiles of 16 rows of A, and of 8 rows of B, in a warp's part.
constexpr int tiles_m = step_part / mma_m, tiles_n = step_part / mma_n;

/// 8 neighbours of a row, 16 bytes, as tiles are copied; zeros outside the matrix.
__device__ uint4 eight_of(const bf16* matrix, int row, int rows, int k, int K) {
  if (row >= rows || k >= K) return {};
  return *reinterpret_cast<const uint4*>(matrix + static_cast<size_t>(row) * K + k);
}

/// Two neighbours in k, as a register of a fragment has them.
__device__ unsigned two_at(const bf16* first) { return *reinterpret_cast<const unsigned*>(first); }

/// A warp's 64 x 64 of C.
struct PartOfC {
  Accumulator tile[tiles_m][tiles_n] = {};

  /// All tiles of A by all of B; in the order of WarpTile::multiply_add.
  __device__ void multiply_add(const FragmentA (&a)[tiles_m], const FragmentB (&b)[tiles_n]) {
#pragma unroll
    for (int n = 0; n < tiles_n; ++n) {
#pragma unroll
      for (int i = 0; i < tiles_m; ++i) {
        const int m = n % 2 ? tiles_m - 1 - i : i;
        tensor::multiply_add(tile[m][n], a[m], b[n]);
      }
    }
  }

  /// What is inside the matrix. Lane 4g + t has (g, 2t) and (g, 2t + 1), and the same of row g + 8.
  __device__ void store(int first_row, int first_column, int M, int N, float* c) const {
    const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
    const StoreC two{c, N};
#pragma unroll
    for (int m = 0; m < tiles_m; ++m) {
#pragma unroll
      for (int n = 0; n < tiles_n; ++n) {
        const int row = first_row + m * mma_m + g, column = first_column + n * mma_n + 2 * t;
        const float* value = tile[m][n].value;
        if (row < M && column < N) two(row, column, value[0], value[1]);
        if (row + 8 < M && column < N) two(row + 8, column, value[2], value[3]);
      }
    }
  }
};

/// The tensor core's own instruction; each register of a fragment is loaded by itself.
/// @param[in] a M x K, b N x K, row-major bf16, 16 aligned, device. @param[out] c M x N, row-major.
/// @pre K % 8 == 0; blocks of 128 threads, a block for each 128 x 128 tile of C: x along N.
/// @cost 2 M N K flops in bf16; every element of a and b is read N / 128 and M / 128 times.
/// @source PTX manual, matrix fragments for mma.m16n8k16.
__global__ void __launch_bounds__(step_threads, step_blocks)
    product_4_plain_loads(const bf16* a, const bf16* b, float* c, int M, int N, int K) {
  __shared__ __align__(16) bf16 tile_a[step_tile][step_k], tile_b[step_tile][step_k];
  const int first_m = blockIdx.y * step_tile, first_n = blockIdx.x * step_tile;
  const int warp = threadIdx.x / 32, g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
  const int row_m = warp / 2 * step_part, row_n = warp % 2 * step_part;
  PartOfC part;
  for (int k = 0; k < K; k += step_k) {
    for (int i = threadIdx.x; i < step_tile * step_k / 8; i += step_threads) {
      const int row = i / (step_k / 8), at = i % (step_k / 8) * 8;
      *reinterpret_cast<uint4*>(&tile_a[row][at]) = eight_of(a, first_m + row, M, k + at, K);
      *reinterpret_cast<uint4*>(&tile_b[row][at]) = eight_of(b, first_n + row, N, k + at, K);
    }
    __syncthreads();
#pragma unroll
    for (int at = 0; at < step_k; at += mma_k) {
      FragmentA of_a[tiles_m];
      FragmentB of_b[tiles_n];
#pragma unroll
      for (int m = 0; m < tiles_m; ++m) {
        const bf16* upper = &tile_a[row_m + m * mma_m + g][at + 2 * t];
        const bf16* lower = upper + 8 * step_k;
        of_a[m] = {two_at(upper), two_at(lower), two_at(upper + 8), two_at(lower + 8)};
      }
#pragma unroll
      for (int n = 0; n < tiles_n; ++n) {
        const bf16* row = &tile_b[row_n + n * mma_n + g][at + 2 * t];
        of_b[n] = {two_at(row), two_at(row + 8)};
      }
      part.multiply_add(of_a, of_b);
    }
    // All warps have read the tiles before they are overwritten.
    __syncthreads();
  }
  part.store(first_m + row_m, first_n + row_n, M, N, c);
}

/// Where 8 neighbours of a tile of rungs 5 and 6 are, in bytes from its beginning. @param swizzled
/// whether the four of a row change places, so that eight rows are in eight groups of banks.
__device__ int place(int row, int eight, bool swizzled) {
  return (row * (step_k / 8) + (swizzled ? eight ^ (row / 2 % 4) : eight)) * 16;
}

/// Rungs 5 and 6: rung 4 with four registers per ldmatrix. Both call it with a constant.
__device__ __forceinline__ void product_by_ldmatrix(const bf16* a, const bf16* b, float* c, int M,
                                                    int N, int K, bool swizzled) {
  __shared__ __align__(16) unsigned char tile_a[step_tile * step_k * 2];
  __shared__ __align__(16) unsigned char tile_b[step_tile * step_k * 2];
  const int first_m = blockIdx.y * step_tile, first_n = blockIdx.x * step_tile;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int row_m = warp / 2 * step_part, row_n = warp % 2 * step_part;
  PartOfC part;
  for (int k = 0; k < K; k += step_k) {
    for (int i = threadIdx.x; i < step_tile * step_k / 8; i += step_threads) {
      const int row = i / (step_k / 8), eight = i % (step_k / 8), at = k + eight * 8;
      const int to = place(row, eight, swizzled);
      *reinterpret_cast<uint4*>(tile_a + to) = eight_of(a, first_m + row, M, at, K);
      *reinterpret_cast<uint4*>(tile_b + to) = eight_of(b, first_n + row, N, at, K);
    }
    __syncthreads();
#pragma unroll
    for (int eight = 0; eight < step_k / 8; eight += mma_k / 8) {
      FragmentA of_a[tiles_m];
      FragmentB of_b[tiles_n];
#pragma unroll
      for (int m = 0; m < tiles_m; ++m) {
        const int row = row_m + m * mma_m + lane % 16;
        unsigned(&to)[4] = of_a[m].pair;
        load_matrices(shared_address(tile_a) + place(row, eight + lane / 16, swizzled), to[0],
                      to[1], to[2], to[3]);
      }
#pragma unroll
      for (int n = 0; n < tiles_n; n += 2) {  // the four matrices of two tiles of B
        const int row = row_n + n * mma_n + lane / 16 * 8 + lane % 8;
        load_matrices(shared_address(tile_b) + place(row, eight + lane / 8 % 2, swizzled),
                      of_b[n].pair[0], of_b[n].pair[1], of_b[n + 1].pair[0], of_b[n + 1].pair[1]);
      }
      part.multiply_add(of_a, of_b);
    }
    // All warps have read the tiles before they are overwritten.
    __syncthreads();
  }
  part.store(first_m + row_m, first_n + row_n, M, N, c);
}

/// One instruction loads four registers of a fragment: a quarter of the requests. The tile is as
/// before, so eight rows of a matrix share banks.
/// \copydetails product_4_plain_loads
__global__ void __launch_bounds__(step_threads, step_blocks)
    product_5_ldmatrix(const bf16* a, const bf16* b, float* c, int M, int N, int K) {
  product_by_ldmatrix(a, b, c, M, N, K, false);
}

/// The chunks of a row change places, so that eight rows of a matrix are in eight groups of banks.
/// \copydetails product_4_plain_loads
__global__ void __launch_bounds__(step_threads, step_blocks)
    product_6_swizzle(const bf16* a, const bf16* b, float* c, int M, int N, int K) {
  product_by_ldmatrix(a, b, c, M, N, K, true);
}

// ---- rungs 7 and 8: pipelined_product.h, in two stages, and with more of everything ----
// ---- rungs 9 to 11: warpgroup.sm_90a.cu, by Hopper's own instructions ----
// ---- rungs 12 to 14: persistent.sm_90a.cu, how C leaves, and who multiplies what ----

using TwoStages = Tiling<128, 128, 32, 2, 64, 64, 2>;
using FourStages = Tiling<128, 256, 64, 4, 64, 64, 1>;

// ---- launchers ----

template <class T>
void pipelined_rung(lesson::Trial& run, const char* name, const Product& p) {
  run.variant(name, product_pipelined<T>,
              {.grid = ceil_div(p.M, T::block_m) * ceil_div(p.N, T::block_n),
               .block = T::threads,
               .shared_bytes = T::shared_bytes},
              p.a_bf16, p.b_bf16, p.c, p.M, p.N, p.depth);
}

lesson::Shape tiles_of(const Product& p, int tile, dim3 block) {
  return {.grid = {static_cast<unsigned>(ceil_div(p.N, tile)),
                   static_cast<unsigned>(ceil_div(p.M, tile))},
          .block = block};
}

void tf32_rungs(lesson::Trial& run, const Product& p) {
  const auto* one_warp = "wmma tf32, one warp";
  if (p.M % wmma_m == 0 && p.N % wmma_n == 0) {
    run.variant(one_warp, product_2_wmma_one_warp, tiles_of(p, wmma_m, 32), p.a, p.b, p.c, p.M, p.N,
                p.depth);
  } else {
    run.skip(one_warp, "wmma reads and writes whole tiles of 16 x 16 in global memory");
  }
  run.variant("wmma tf32, shared tiles", product_3_wmma_shared, tiles_of(p, 64, 128), p.a, p.b, p.c,
              p.M, p.N, p.depth);
}

void bf16_rungs(lesson::Trial& run, const Product& p) {
  const lesson::Shape shape = tiles_of(p, step_tile, step_threads);
  run.variant("mma bf16, plain loads", product_4_plain_loads, shape, p.a_bf16, p.b_bf16, p.c, p.M,
              p.N, p.depth);
  run.variant("mma bf16, ldmatrix", product_5_ldmatrix, shape, p.a_bf16, p.b_bf16, p.c, p.M, p.N,
              p.depth);
  run.variant("mma bf16, swizzled", product_6_swizzle, shape, p.a_bf16, p.b_bf16, p.c, p.M, p.N,
              p.depth);
  pipelined_rung<TwoStages>(run, "mma bf16, cp.async x 2", p);
  pipelined_rung<FourStages>(run, "mma bf16, cp.async x 4", p);
}

/// The library's answers, for the same numbers.
void yardsticks(lesson::Trial& run, const Product& p) {
  const auto product = [&](lesson::CublasPrecision precision, const void* a, const void* b) {
    return lesson::cublas_product(precision, p.M, p.N, p.depth, a, b, p.c,
                                  lesson::SecondMatrix::transposed);
  };
  run.yardstick("cuBLAS fp32", product(lesson::CublasPrecision::fp32, p.a, p.b));
  run.yardstick("cuBLAS tf32", product(lesson::CublasPrecision::tf32, p.a, p.b));
  run.yardstick("cuBLAS bf16", product(lesson::CublasPrecision::bf16, p.a_bf16, p.b_bf16));
}

/// The problem at one size, and its rungs.
void product_rungs(lesson::Trial& run) {
  const Product p(run);
  run.variant("fp32 tiles", product_1_fp32, tiles_of(p, 16, {16, 16}), p.a, p.b, p.c, p.M, p.N,
              p.depth);
  if (has_bf16_mma()) {
    tf32_rungs(run, p);
    bf16_rungs(run, p);
  } else {
    for (const char* name : {"wmma tf32", "mma bf16"}) run.skip(name, needs_sm_80);
  }
  if (has_wgmma()) {
    warpgroup_rungs(run, p);
    persistent_rungs(run, p);
  } else {
    for (const char* name : {"mma bf16, bulk, persistent", "wgmma bf16"}) {
      run.skip(name, needs_sm_90a);
    }
  }
  yardsticks(run, p);
}

}  // namespace

void start_fp32_tiles(const Product& p) {
  const lesson::Shape shape = tiles_of(p, 16, {16, 16});
  product_1_fp32<<<shape.grid, shape.block>>>(p.a, p.b, p.c, p.M, p.N, p.depth);
  lesson::check(cudaGetLastError());
}

void start_tf32_tiles(const Product& p) {
  const lesson::Shape shape = tiles_of(p, 64, 128);
  product_3_wmma_shared<<<shape.grid, shape.block>>>(p.a, p.b, p.c, p.M, p.N, p.depth);
  lesson::check(cudaGetLastError());
}

void start_bf16_tiles(const Product& p) {
  const lesson::Shape shape = tiles_of(p, step_tile, step_threads);
  product_6_swizzle<<<shape.grid, shape.block>>>(p.a_bf16, p.b_bf16, p.c, p.M, p.N, p.depth);
  lesson::check(cudaGetLastError());
}

}  // namespace tensor

void product_ladder(lesson::Run& run) {
  run.ladder(
      {.name = "product",
       .title = "C = A * B^T, M x N x K, sums in fp32",
       .full = {4096, 4096, 4096},
       .small = {256, 256, 256},
       .awkward =
           {{1, 1, 1}, {17, 9, 33}, {16, 32, 8}, {130, 67, 100}, {127, 257, 64}, {300, 132, 200}},
       .needs = [](const lesson::Size& size) { return tensor::product_needs(size, 2); },
       .limit = "cuBLAS bf16"},
      tensor::product_rungs);
}
