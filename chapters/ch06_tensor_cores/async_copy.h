#pragma once
#include "swizzle.h"
#include "warp_matrix.h"

/// \file
/// Tiles copied from global to shared memory while the warps multiply: cp.async, which needs sm_80.
namespace tensor {

/// Starts a copy of 16 bytes past the registers.
/// @param to shared address, 16 aligned. @param from global, 16 aligned.
/// @source PTX manual, cp.async.
__device__ inline void start_copy(unsigned to, const void* from) {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to),
               "l"(__cvta_generic_to_global(from))
               : "memory");
#else
  __trap();
#endif
}

/// The same; where `inside` is false, 16 zeros are written and nothing is read.
/// @source PTX manual, cp.async: what the source has less than the copy becomes zeros.
__device__ inline void start_copy_if(bool inside, unsigned to, const void* from) {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to),
               "l"(__cvta_generic_to_global(from)), "r"(inside ? 16 : 0)
               : "memory");
#else
  __trap();
#endif
}

/// Closes the group of this thread's copies since the last one; it may be empty.
__device__ inline void end_group() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/// Waits until at most `pending` of this thread's newest groups are on their way. Other threads see
/// the copies after the next barrier.
template <int pending>
__device__ inline void wait_for_groups() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
#endif
}

/// Starts the copies of one tile, swizzled; rows and columns outside the matrix become zeros.
/// @tparam rows, depth of the tile. @tparam threads of the block: all of them call it.
/// @param tile shared address. @param[in] matrix rows_of_matrix x K, row-major, device.
/// @pre K % 8 == 0
template <int rows, int depth, int threads>
__device__ inline void start_tile(unsigned tile, const bf16* matrix, int first_row,
                                  int rows_of_matrix, int first_k, int K) {
  constexpr int chunks = depth / chunk_elements;
  constexpr int rows_at_once = threads / chunks;
  static_assert(threads % chunks == 0 && rows % rows_at_once == 0);
  const int chunk = threadIdx.x % chunks;
  const int row = threadIdx.x / chunks;
  const int k = first_k + chunk * chunk_elements;
  const bf16* from = matrix + static_cast<size_t>(first_row + row) * K + k;
  const size_t stride = static_cast<size_t>(rows_at_once) * K;
  // Most tiles lie inside as a whole, and need no question for each copy.
  const bool whole = first_row + rows <= rows_of_matrix && first_k + depth <= K;
#pragma unroll
  for (int i = 0; i < rows / rows_at_once; ++i) {
    const unsigned to = tile + Swizzled<depth>::offset(row + i * rows_at_once, chunk);
    if (whole) {
      start_copy(to, from + i * stride);
    } else {
      const bool inside = first_row + row + i * rows_at_once < rows_of_matrix && k < K;
      start_copy_if(inside, to, from + i * stride);
    }
  }
}

}  // namespace tensor
