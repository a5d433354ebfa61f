#pragma once
/// \file
/// Rungs 6 and 7 of the product: tiles come to shared memory by asynchronous copies, and fragments
/// to registers a step ahead.
#include <cmath>

#include "register_tiles.cuh"

/// How such a product is cut: as a Tiling, with `stages` steps in shared memory.
/// @tparam group_rows_ rows of tiles that are walked column by column, as neighbours in time.
template <class Tiling_, int stages_, int group_rows_>
struct Staged : Tiling_ {
  using T = Tiling_;
  static constexpr int stages = stages_, group_rows = group_rows_;
  static constexpr int a_floats = T::BK * T::BM_padded;
  static constexpr int stage_floats = a_floats + T::BK * T::BN;
  static constexpr int shared_bytes = stages * stage_floats * 4;
  /// Of A a thread copies single floats, one k of every a_rows_at_once-th row: they change places.
  static constexpr int a_rows_at_once = T::threads / T::BK, a_count = T::BM / a_rows_at_once;
  /// Of B it copies packs, of every b_rows_at_once-th row.
  static constexpr int packs_in_row = T::BN / 4;
  static constexpr int b_rows_at_once = T::threads / packs_in_row;
  static constexpr int b_count = T::BK / b_rows_at_once;
  static_assert(T::threads % T::BK == 0 && T::BM % a_rows_at_once == 0);
  static_assert(T::threads % packs_in_row == 0 && T::BK % b_rows_at_once == 0);
};

/// Starts a copy of `bytes`, 4 or 16, past the registers. Where `inside` is false, zeros are
/// written and nothing is read.
/// @param to shared address. @param from global; both aligned to `bytes`. @pre sm_80
/// @source PTX manual, cp.async.
template <int bytes>
__device__ void start_copy(unsigned to, const float* from, bool inside) {
#if __CUDA_ARCH__ >= 800
  if constexpr (bytes == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to),
                 "l"(__cvta_generic_to_global(from)), "r"(inside ? 16 : 0)
                 : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to),
                 "l"(__cvta_generic_to_global(from)), "r"(inside ? 4 : 0)
                 : "memory");
  }
#else
  __trap();
#endif
}

/// Closes the group of this thread's copies since the last one; it may be empty.
__device__ inline void end_copies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/// Waits until at most `pending` of this thread's newest groups are in flight.
template <int pending>
__device__ void wait_for_copies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
#endif
}

/// How the products of a chapter are cut. Four warps a scheduler, and 8 x 8 outputs a lane: the
/// other 64 registers hold fragments a step ahead.
using AsyncTiles = Staged<Tiling<128, 128, 16, 32, 64, 8, 8, 2>, 4, 8>;
/// Half as wide: twice the tiles, where C has few columns.
using NarrowTiles = Staged<Tiling<128, 64, 16, 64, 32, 8, 8, 4>, 3, 8>;

template <class S>
int tiles_of(int M, int N) {
  return (M + S::BM - 1) / S::BM * ((N + S::BN - 1) / S::BN);
}

/// The share of the SMs' time that C's tiles fill, if each SM takes its tiles one after another.
template <class S>
double filled(int M, int N, int sms) {
  const double of_an_sm = static_cast<double>(tiles_of<S>(M, N)) / sms;
  return of_an_sm / std::ceil(of_an_sm);
}

/// Whether the narrow tile is the better one. It reads half as much again for each flop: it has to
/// fill the card better by a tenth.
inline bool takes_narrow(int M, int N, int sms) {
  return filled<NarrowTiles>(M, N, sms) > 1.1 * filled<AsyncTiles>(M, N, sms);
}

/// While a step is multiplied, the tiles of later steps are in flight to shared memory, past the
/// registers, and the operands of the next multiply-adds from there to registers.
/// @tparam S a Staged. @tparam whole whether M, N and K are multiples of the tile's: then no copy
/// has to ask whether it is inside.
/// @param[in] A M * K, row-major, device. @param[in] B K * N, the same.
/// @param finish (sum, row, column) stores a lane's sums, whose first one is there.
/// @pre N and K multiples of 4; blocks of S::threads threads in one dimension, S::shared_bytes
/// dynamic shared memory, a block for each tile of C; sm_80; all threads call it.
/// @cost as product_warp_tiles.
/// @source NVIDIA's CUTLASS documentation, "efficient GEMM", for the idea.
template <class S, bool whole, class Finish>
__device__ void product_by_async_tiles(const float* A, const float* B, int M, int N, int K,
                                       const Finish& finish) {
  extern __shared__ __align__(16) float storage[];
  const unsigned shared = static_cast<unsigned>(__cvta_generic_to_shared(storage));
  // Blocks that run at the same time share rows of A and columns of B in the L2 cache.
  const int tiles_m = (M + S::BM - 1) / S::BM, tiles_n = (N + S::BN - 1) / S::BN;
  const int group = blockIdx.x / (S::group_rows * tiles_n);
  const int rows_in_group = min(S::group_rows, tiles_m - group * S::group_rows);
  const int in_group = blockIdx.x % (S::group_rows * tiles_n);
  const int block_row = (group * S::group_rows + in_group % rows_in_group) * S::BM;
  const int block_column = in_group / rows_in_group * S::BN;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int row = warp / S::warps_across * S::WM + lane / S::lanes_across * 4;
  const int column = warp % S::warps_across * S::WN + lane % S::lanes_across * 4;

  // What this thread copies. Rows past the end of A are read as its last row: what comes of them
  // would belong to elements of C that do not exist.
  const int a_k = threadIdx.x % S::BK, a_row = threadIdx.x / S::BK;
  const int b_k = threadIdx.x / S::packs_in_row;
  const int b_column = threadIdx.x % S::packs_in_row * 4;
  const bool b_inside = whole || block_column + b_column < N;
  const float* from_a = A + static_cast<std::size_t>(block_row + (whole ? a_row : 0)) * K + a_k;
  const float* from_b = B + static_cast<std::size_t>(b_k) * N + block_column + b_column;
  const unsigned to_a = shared + (a_k * S::BM_padded + a_row) * 4;
  const unsigned to_b = shared + (S::a_floats + b_k * S::BN + b_column) * 4;
  int coming = 0, next_k = 0;
  const auto start_step = [&] {
    const unsigned stage = coming * S::stage_floats * 4;
    // Past the last step there is nothing to copy; without a question each copy would ask its own.
    if (next_k < K) {
#pragma unroll
      for (int i = 0; i < S::a_count; ++i) {
        const int further = i * S::a_rows_at_once;
        const int down = whole ? further : min(a_row + further, M - 1 - block_row);
        start_copy<4>(to_a + stage + further * 4, from_a + static_cast<std::size_t>(down) * K,
                      whole || next_k + a_k < K);
      }
#pragma unroll
      for (int i = 0; i < S::b_count; ++i) {
        const int further = i * S::b_rows_at_once;
        start_copy<16>(to_b + stage + further * S::BN * 4,
                       from_b + static_cast<std::size_t>(further) * N,
                       whole || (b_inside && next_k + b_k + further < K));
      }
      from_a += S::BK;
      from_b += static_cast<std::size_t>(S::BK) * N;
    }
    end_copies();
    next_k += S::BK;
    coming = coming + 1 == S::stages ? 0 : coming + 1;
  };

#pragma unroll
  for (int i = 0; i < S::stages - 1; ++i) start_step();
  wait_for_copies<S::stages - 2>();
  // All threads' copies of the first step are there.
  __syncthreads();
  float a[2][S::TM], b[2][S::TN], sum[S::TM][S::TN] = {};
  int now = 0;
  const auto load = [&](int step, int set) {
    const float* stage = storage + now * S::stage_floats;
    read_fours(a[set], stage + step * S::BM_padded + row, 4 * S::lanes_down);
    read_fours(b[set], stage + S::a_floats + step * S::BN + column, 4 * S::lanes_across);
  };
  load(0, 0);
#pragma unroll 1
  for (int k = 0; k < K; k += S::BK) {
#pragma unroll
    for (int step = 0; step < S::BK; ++step) {
      if (step + 1 < S::BK) {
        load(step + 1, (step + 1) % 2);
      } else {
        wait_for_copies<S::stages - 2>();
        // The next step is there, and no thread reads this one any more: its stage is free.
        __syncthreads();
        now = now + 1 == S::stages ? 0 : now + 1;
        load(0, 0);
      }
      if (step == 0) start_step();
      add_outer_product(sum, a[step % 2], b[step % 2]);
    }
  }
  finish(sum, block_row + row, block_column + column);
}
