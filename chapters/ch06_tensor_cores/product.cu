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

/// What rungs 4 to 6 have in common: four warps, 64 x 64 of C each.
using Step = Tiling<128, 128, 32, 1, 64, 64, 2>;

using InRows = RowAfterRow<Step::block_k>;
using InSwizzledRows = Swizzled<Step::block_k>;

/// Each register of a fragment by a load of its own, from where the manual's figure has it.
template <class Place>
struct PlainLoads {
  __device__ static unsigned pair(const unsigned char* tile, int row, int chunk) {
    const int t = threadIdx.x % 4;
    return *reinterpret_cast<const unsigned*>(tile + Place::offset(row, chunk) + t * 4);
  }
  __device__ static void load(Fragments<Step>& f, const unsigned char* tile_a,
                              const unsigned char* tile_b, int row_m, int row_n, int slice) {
    const int g = threadIdx.x % 32 / 4;
#pragma unroll
    for (int m = 0; m < Step::warp_m / mma_m; ++m) {
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        f.a[m].pair[i] = pair(tile_a, row_m + m * mma_m + i % 2 * 8 + g, slice * 2 + i / 2);
      }
    }
#pragma unroll
    for (int n = 0; n < Step::warp_n / mma_n; ++n) {
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        f.b[n].pair[i] = pair(tile_b, row_n + n * mma_n + g, slice * 2 + i);
      }
    }
  }
};

/// Four registers by one ldmatrix.
template <class Place>
struct MatrixLoads {
  __device__ static void load(Fragments<Step>& f, const unsigned char* tile_a,
                              const unsigned char* tile_b, int row_m, int row_n, int slice) {
    f.template load<Place>(shared_address(tile_a), shared_address(tile_b), row_m, row_n, slice);
  }
};

/// Copies 128 rows of 32 numbers through registers; zeros outside the matrix.
template <class Place>
__device__ void copy_tile(unsigned char* tile, const bf16* matrix, int first_row, int rows,
                          int first_k, int K) {
  constexpr int chunks = Step::block_k / chunk_elements;
  for (int i = threadIdx.x; i < Step::block_m * chunks; i += Step::threads) {
    const int row = i / chunks, k = first_k + i % chunks * chunk_elements;
    uint4 chunk = {};
    if (first_row + row < rows && k < K) {
      chunk =
          *reinterpret_cast<const uint4*>(matrix + static_cast<size_t>(first_row + row) * K + k);
    }
    *reinterpret_cast<uint4*>(tile + Place::offset(row, i % chunks)) = chunk;
  }
}

/// Step by step: copy both tiles, wait, multiply, wait.
/// @tparam Place where a chunk is in a tile. @tparam Loads how fragments are read.
template <class Place, class Loads>
__device__ void product_in_steps(const bf16* a, const bf16* b, float* c, int M, int N, int K) {
  __shared__ __align__(128) unsigned char tile_a[Step::a_bytes];
  __shared__ __align__(128) unsigned char tile_b[Step::stage_bytes - Step::a_bytes];
  const int first_m = blockIdx.y * Step::block_m, first_n = blockIdx.x * Step::block_n;
  const int warp = threadIdx.x / 32;
  const int row_m = warp / Step::warps_n * Step::warp_m;
  const int row_n = warp % Step::warps_n * Step::warp_n;
  WarpTile<Step> part;
  for (int k = 0; k < K; k += Step::block_k) {
    copy_tile<Place>(tile_a, a, first_m, M, k, K);
    copy_tile<Place>(tile_b, b, first_n, N, k, K);
    __syncthreads();
#pragma unroll
    for (int slice = 0; slice < Step::slices; ++slice) {
      Fragments<Step> fragments;
      Loads::load(fragments, tile_a, tile_b, row_m, row_n, slice);
      part.multiply_add(fragments);
    }
    // Everybody has read the tiles before they are overwritten.
    __syncthreads();
  }
  part.store(first_m + row_m, first_n + row_n, M, N, StoreC{c, N});
}

/// The tensor core's own instruction; each register of a fragment is loaded by itself.
/// @param[in] a M x K, b N x K, row-major bf16, 16 aligned, device. @param[out] c M x N, row-major.
/// @pre K % 8 == 0; blocks of 128 threads, a block for each 128 x 128 tile of C: x along N.
/// @cost 2 M N K flops in bf16; every element of a and b is read N / 128 and M / 128 times.
/// @source PTX manual, matrix fragments for mma.m16n8k16.
__global__ void __launch_bounds__(Step::threads, Step::blocks_per_sm)
    product_4_plain_loads(const bf16* a, const bf16* b, float* c, int M, int N, int K) {
  product_in_steps<InRows, PlainLoads<InRows>>(a, b, c, M, N, K);
}

/// One instruction loads four registers of a fragment: a quarter of the requests. The tile lies as
/// before, so that eight rows of a matrix share banks.
/// \copydetails product_4_plain_loads
__global__ void __launch_bounds__(Step::threads, Step::blocks_per_sm)
    product_5_ldmatrix(const bf16* a, const bf16* b, float* c, int M, int N, int K) {
  product_in_steps<InRows, MatrixLoads<InRows>>(a, b, c, M, N, K);
}

/// The chunks of a row change places, so that eight rows of a matrix lie in eight groups of banks.
/// \copydetails product_4_plain_loads
__global__ void __launch_bounds__(Step::threads, Step::blocks_per_sm)
    product_6_swizzle(const bf16* a, const bf16* b, float* c, int M, int N, int K) {
  product_in_steps<InSwizzledRows, MatrixLoads<InSwizzledRows>>(a, b, c, M, N, K);
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
  const lesson::Shape shape = tiles_of(p, Step::block_m, Step::threads);
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
  const lesson::Shape shape = tiles_of(p, Step::block_m, Step::threads);
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
