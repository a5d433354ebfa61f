#pragma once
#include "async_copy.h"
#include "swizzle.h"
#include "warp_matrix.h"

/// \file
/// C = A * B^T in bf16 by a pipeline: tiles travel to shared memory in several stages, fragments to
/// registers one step ahead, while the tensor cores multiply.
namespace tensor {

/// How a product is cut. A block computes block_m x block_n elements of C in steps of block_k; each
/// of its warps warp_m x warp_n of them. `stages` steps have room in shared memory.
template <int block_m_, int block_n_, int block_k_, int stages_, int warp_m_, int warp_n_,
          int blocks_per_sm_ = 1>
struct Tiling {
  static constexpr int block_m = block_m_, block_n = block_n_, block_k = block_k_;
  static constexpr int stages = stages_;
  static constexpr int warp_m = warp_m_, warp_n = warp_n_;
  static constexpr int blocks_per_sm = blocks_per_sm_;

  static constexpr int warps_n = block_n / warp_n;
  static constexpr int threads = block_m / warp_m * warps_n * 32;
  static constexpr int a_bytes = block_m * block_k * 2;
  static constexpr int stage_bytes = a_bytes + block_n * block_k * 2;
  static constexpr int shared_bytes = stages * stage_bytes;
  static constexpr int slices = block_k / mma_k;
  static_assert(slices % 2 == 0, "two sets of fragments take turns");
  static_assert(warp_m % mma_m == 0 && warp_n % (2 * mma_n) == 0);
};

/// What one warp holds of a step of 16 in k.
template <class T>
struct Fragments {
  FragmentA a[T::warp_m / mma_m];
  FragmentB b[T::warp_n / mma_n];

  /// From the tiles of a stage, by ldmatrix: A's 16 x 16 as four matrices, and two of B's 16 x 8.
  /// @tparam Place its offset(row, chunk) says where 16 bytes of a tile are.
  /// @param row_m, row_n the warp's first row of each tile. @param slice which 16 of block_k.
  template <class Place>
  __device__ void load(unsigned tile_a, unsigned tile_b, int row_m, int row_n, int slice) {
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int m = 0; m < T::warp_m / mma_m; ++m) {
      const int row = row_m + m * mma_m + lane % 16;
      load_matrices(tile_a + Place::offset(row, slice * 2 + lane / 16), a[m].pair[0], a[m].pair[1],
                    a[m].pair[2], a[m].pair[3]);
    }
#pragma unroll
    for (int n = 0; n < T::warp_n / mma_n; n += 2) {
      const int row = row_n + n * mma_n + lane / 16 * 8 + lane % 8;
      load_matrices(tile_b + Place::offset(row, slice * 2 + lane / 8 % 2), b[n].pair[0],
                    b[n].pair[1], b[n + 1].pair[0], b[n + 1].pair[1]);
    }
  }
};

/// A warp's part of C.
template <class T>
struct WarpTile {
  Accumulator c[T::warp_m / mma_m][T::warp_n / mma_n] = {};

  /// Column by column, down and up again: each product shares a fragment with the one before.
  /// On an H200 this is 3 % faster than row by row; the manuals do not say why.
  __device__ void multiply_add(const Fragments<T>& fragments) {
    constexpr int rows = T::warp_m / mma_m;
#pragma unroll
    for (int n = 0; n < T::warp_n / mma_n; ++n) {
#pragma unroll
      for (int i = 0; i < rows; ++i) {
        const int m = n % 2 ? rows - 1 - i : i;
        tensor::multiply_add(c[m][n], fragments.a[m], fragments.b[n]);
      }
    }
  }

  /// Hands every element that is in the matrix to the epilogue, two neighbours at a time.
  /// @param epilogue (row, column, value, value of column + 1); the second may be outside.
  template <class Epilogue>
  __device__ void store(int first_row, int first_column, int M, int N, const Epilogue& epilogue) {
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int m = 0; m < T::warp_m / mma_m; ++m) {
#pragma unroll
      for (int n = 0; n < T::warp_n / mma_n; ++n) {
        const int row = first_row + m * mma_m + lane / 4;
        const int column = first_column + n * mma_n + lane % 4 * 2;
        const float* value = c[m][n].value;
        if (column < N) {
          if (row < M) epilogue(row, column, value[0], value[1]);
          if (row + 8 < M) epilogue(row + 8, column, value[2], value[3]);
        }
      }
    }
  }
};

/// The epilogue that only stores.
struct StoreC {
  float* c;
  int N;

  __device__ void operator()(int row, int column, float first, float second) const {
    float* to = c + static_cast<size_t>(row) * N + column;
    if (N % 2 == 0) {  // Then column + 1 is inside, and the pair aligned.
      *reinterpret_cast<float2*>(to) = {first, second};
    } else {
      to[0] = first;
      if (column + 1 < N) to[1] = second;
    }
  }
};

/// Which tile of C a block takes. Blocks that run at the same time should share rows of A and B in
/// the L2 cache: some rows of tiles, a group, are walked column by column.
template <int group_rows>
struct TileOfBlock {
  int m, n;

  /// @param number of the tile in this order; a block for each tile takes its own.
  __device__ TileOfBlock(int tiles_m, int tiles_n, int number = blockIdx.x) {
    const int group = number / (group_rows * tiles_n);
    const int rows = min(group_rows, tiles_m - group * group_rows);
    const int in_group = number % (group_rows * tiles_n);
    m = group * group_rows + in_group % rows;
    n = in_group / rows;
  }
};

/// The pipeline. While a step is multiplied, the copies of the next stages - 1 steps are on their
/// way, and the fragments of the next 16 in k come from shared memory.
/// @param[in] a M x K, b N x K, both row-major bf16, 16 aligned, device.
/// @pre K % 8 == 0; a block for each tile of C, T::threads threads, T::shared_bytes dynamic.
/// @cost reads at least 2 (M + N) K bytes, 2 M N K flops.
/// @source NVIDIA's CUTLASS, "Efficient GEMM in CUDA", for the idea.
template <class T, class Epilogue>
__device__ void product_by_pipeline(const bf16* a, const bf16* b, int M, int N, int K,
                                    const Epilogue& epilogue) {
  extern __shared__ __align__(128) unsigned char storage[];
  const unsigned shared = shared_address(storage);
  const TileOfBlock<8> tile((M + T::block_m - 1) / T::block_m, (N + T::block_n - 1) / T::block_n);
  const int warp = threadIdx.x / 32;
  const int row_m = warp / T::warps_n * T::warp_m;
  const int row_n = warp % T::warps_n * T::warp_n;
  const int steps = (K + T::block_k - 1) / T::block_k;

  TileCopies<T::block_m, T::block_k, T::threads> copies_a(a, tile.m * T::block_m, M, K);
  TileCopies<T::block_n, T::block_k, T::threads> copies_b(b, tile.n * T::block_n, N, K);
  const auto stage_after = [&](unsigned stage) {
    stage += T::stage_bytes;
    return stage == shared + T::shared_bytes ? shared : stage;
  };
  unsigned coming = shared, current = shared;
  // After the last step the copies bring zeros that are never read: an `if` here would split the
  // loop's instructions into blocks, and the copies would no longer start between the products.
  const auto start_step = [&]() {
    copies_a.start_next(coming);
    copies_b.start_next(coming + T::a_bytes);
    end_group();
    coming = stage_after(coming);
  };
  Fragments<T> fragments[2];
  const auto load = [&](int slice) {
    fragments[slice % 2].template load<Swizzled<T::block_k>>(current, current + T::a_bytes, row_m,
                                                             row_n, slice);
  };

#pragma unroll
  for (int step = 0; step < T::stages - 1; ++step) start_step();
  wait_for_groups<T::stages - 2>();
  // Everybody's copies of step 0 are there.
  __syncthreads();
  load(0);
  WarpTile<T> part;
#pragma unroll 1
  for (int step = 0; step < steps; ++step) {
#pragma unroll
    for (int slice = 0; slice < T::slices; ++slice) {
      if (slice + 1 < T::slices) {
        load(slice + 1);
      } else {
        wait_for_groups<T::stages - 2>();
        // The next step is there, and no thread reads this one any more: its stage is free.
        __syncthreads();
        current = stage_after(current);
        load(0);
      }
      if (slice == 0) start_step();
      part.multiply_add(fragments[slice % 2]);
    }
  }
  part.store(tile.m * T::block_m + row_m, tile.n * T::block_n + row_n, M, N, epilogue);
}

/// The product alone. \copydetails product_by_pipeline
/// @param[out] c M x N, row-major, device.
template <class T>
__global__ void __launch_bounds__(T::threads, T::blocks_per_sm)
    product_pipelined(const bf16* a, const bf16* b, float* c, int M, int N, int K) {
  product_by_pipeline<T>(a, b, M, N, K, StoreC{c, N});
}

}  // namespace tensor
