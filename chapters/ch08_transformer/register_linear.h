#pragma once
#include "../ch04_occupancy/async_tiles.cuh"
#include "../ch07_attention/gelu_forms.h"

/// \file
/// y = x * W^T + bias by chapter 4's register tiles, with what follows the product in its epilogue.
namespace gpt {

/// The last loop of the product: four neighbours get their bias, and the activation, and are stored
/// by one request.
template <bool with_gelu, bool by_erf, int TM, int TN>
__device__ void finish_fours(float* y, const float* bias, const float (&sum)[TM][TN], int row,
                             int column, int down, int across, int M, int N) {
#pragma unroll
  for (int i = 0; i < TM; ++i) {
    const int at_row = row + i / 4 * down + i % 4;
#pragma unroll
    for (int j = 0; j < TN; j += 4) {
      const int at_column = column + j / 4 * across;
      if (at_row >= M || at_column >= N) continue;
      Pack<4> out = bias ? *reinterpret_cast<const Pack<4>*>(bias + at_column) : Pack<4>{};
#pragma unroll
      for (int l = 0; l < 4; ++l) {
        out.value[l] += sum[i][j + l];
        if constexpr (with_gelu && by_erf) out.value[l] = attention::Erf::of(out.value[l]);
        if constexpr (with_gelu && !by_erf) out.value[l] = attention::Tanh::of(out.value[l]);
      }
      *reinterpret_cast<Pack<4>*>(y + static_cast<std::size_t>(at_row) * N + at_column) = out;
    }
  }
}

/// Chapter 4's warp tiles, where both matrices have K along their rows: both are stored transposed
/// in shared memory.
/// @tparam T a Tiling. @tparam with_gelu whether GELU follows the bias. @tparam by_erf its form;
/// else by tanh. @param[in] x (M, K), w (N,
/// K), bias N or null, 16 aligned, device.
/// @param[out] y (M, N), 16 aligned, device.
/// @pre N and K multiples of 4; T::threads threads; grid (ceil(N / BN), ceil(M / BM)).
/// @cost 2 M N K flops; (M N K) (1 / BM + 1 / BN) * 4 bytes without caches.
/// @source chapter 4, warp tiles.
template <class T, bool with_gelu, bool by_erf>
__global__ void __launch_bounds__(T::threads, T::blocks_per_sm)
    linear_registers(const float* x, const float* w, const float* bias, float* y, int M, int N,
                     int K) {
  constexpr int BN_padded = T::BN + 4;
  __shared__ __align__(16) float x_tile[2][T::BK * T::BM_padded];
  __shared__ __align__(16) float w_tile[2][T::BK * BN_padded];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int row = warp / T::warps_across * T::WM + lane / T::lanes_across * 4;
  const int column = warp % T::warps_across * T::WN + lane % T::lanes_across * 4;
  const int block_row = blockIdx.y * T::BM, block_column = blockIdx.x * T::BN;
  Carried<T::BM, T::BK, T::threads, 4> x_next;
  Carried<T::BN, T::BK, T::threads, 4> w_next;
  x_next.load(x, block_row, 0, M, K);
  w_next.load(w, block_column, 0, N, K);
  x_next.store_transposed(x_tile[0], T::BM_padded);
  w_next.store_transposed(w_tile[0], BN_padded);
  __syncthreads();
  float sum[T::TM][T::TN] = {};
  int now = 0;
  for (int k = 0; k < K; k += T::BK) {
    const bool more = k + T::BK < K;
    if (more) {
      x_next.load(x, block_row, k + T::BK, M, K);
      w_next.load(w, block_column, k + T::BK, N, K);
    }
#pragma unroll
    for (int step = 0; step < T::BK; ++step) {
      float of_x[T::TM], of_w[T::TN];
      read_fours(of_x, &x_tile[now][step * T::BM_padded + row], 4 * T::lanes_down);
      read_fours(of_w, &w_tile[now][step * BN_padded + column], 4 * T::lanes_across);
      add_outer_product(sum, of_x, of_w);
    }
    if (!more) break;
    // The other copy: no thread reads it after the barrier of the step before.
    now ^= 1;
    x_next.store_transposed(x_tile[now], T::BM_padded);
    w_next.store_transposed(w_tile[now], BN_padded);
    __syncthreads();
  }
  finish_fours<with_gelu, by_erf>(y, bias, sum, block_row + row, block_column + column,
                                  4 * T::lanes_down, 4 * T::lanes_across, M, N);
}

/// Chapter 4's asynchronous tiles, for weights that were turned at load.
/// @tparam S a Staged. @tparam whole as of product_by_async_tiles. The others as linear_registers.
/// @param[in] turned (K, N), 16 aligned, device. The others as linear_registers.
/// @pre N and K multiples of 4; S::threads threads, S::shared_bytes dynamic, a block per tile;
/// sm_80.
/// @cost as linear_registers. @source chapter 4, tile by shape.
template <class S, bool whole, bool with_gelu, bool by_erf>
__global__ void __launch_bounds__(S::threads, S::blocks_per_sm)
    linear_turned(const float* x, const float* turned, const float* bias, float* y, int M, int N,
                  int K) {
  product_by_async_tiles<S, whole>(
      x, turned, M, N, K, [&](const float(&sum)[S::TM][S::TN], int row, int column) {
        finish_fours<with_gelu, by_erf>(y, bias, sum, row, column, 4 * S::lanes_down,
                                        4 * S::lanes_across, M, N);
      });
}

}  // namespace gpt
