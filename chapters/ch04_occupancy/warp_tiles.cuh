#pragma once
#include "register_tiles.cuh"

/// \file
/// The last kernel of the product's ladder: a template over its tile sizes, which the ladder uses
/// at one size and the sweep at many.

/// Each warp has a compact tile of its own, so that its lanes share what they read; two copies of
/// the tiles in shared memory, so that the next step's loads travel while this step computes, and
/// one barrier a step is enough.
/// @tparam T a Tiling. @tparam pack 4, or 1 where K or N of the matrices is not a multiple of 4.
/// @param[in] A M * K, row-major, device. @param[in] B K * N, the same. @param[out] C M * N.
/// @pre blocks of T::threads threads in one dimension; grid (ceil(N / BN), ceil(M / BM)).
/// @cost 2 M N K flops; device memory (M N K) (1 / BM + 1 / BN) * 4 bytes without caches; shared
/// memory (TM + TN) / (2 TM TN) floats a flop.
/// @source NVIDIA's CUTLASS documentation, "efficient GEMM": the hierarchy of tiles.
template <class T, int pack>
__global__ void __launch_bounds__(T::threads, T::blocks_per_sm)
    product_warp_tiles(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ __align__(16) float a_tile[2][T::BK * T::BM_padded];
  __shared__ __align__(16) float b_tile[2][T::BK * T::BN];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int row = warp / T::warps_across * T::WM + lane / T::lanes_across * 4;
  const int column = warp % T::warps_across * T::WN + lane % T::lanes_across * 4;
  const int block_row = blockIdx.y * T::BM, block_column = blockIdx.x * T::BN;

  Carried<T::BM, T::BK, T::threads, pack> a_next;
  Carried<T::BK, T::BN, T::threads, pack> b_next;
  a_next.load(A, block_row, 0, M, K);
  b_next.load(B, 0, block_column, K, N);
  a_next.store_transposed(a_tile[0], T::BM_padded);
  b_next.store(b_tile[0]);
  __syncthreads();

  float sum[T::TM][T::TN] = {};
  int now = 0;
  for (int k = 0; k < K; k += T::BK) {
    const bool more = k + T::BK < K;
    if (more) {
      a_next.load(A, block_row, k + T::BK, M, K);
      b_next.load(B, k + T::BK, block_column, K, N);
    }
#pragma unroll
    for (int step = 0; step < T::BK; ++step) {
      float a[T::TM], b[T::TN];
      read_fours(a, &a_tile[now][step * T::BM_padded + row], 4 * T::lanes_down);
      read_fours(b, &b_tile[now][step * T::BN + column], 4 * T::lanes_across);
      add_outer_product(sum, a, b);
    }
    if (!more) break;
    // The other copy: no thread reads it after the barrier of the step before.
    now ^= 1;
    a_next.store_transposed(a_tile[now], T::BM_padded);
    b_next.store(b_tile[now]);
    __syncthreads();
  }

  store_fours<pack>(C, sum, block_row + row, block_column + column, 4 * T::lanes_down,
                    4 * T::lanes_across, M, N);
}
