#pragma once
#include "swizzle.h"
#include "warp_matrix.h"

/// \file
/// Tiles copied from global to shared memory while the warps multiply: cp.async, which needs sm_80.
namespace tensor {

/// Starts a copy of 16 bytes past the registers. Where `inside` is false, 16 zeros are written and
/// nothing is read.
/// @param to shared address, 16 aligned. @param from global, 16 aligned.
/// @source PTX manual, cp.async: what the source has less than the copy becomes zeros.
__device__ inline void start_copy(bool inside, unsigned to, const void* from) {
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

/// Waits until at most `pending` of this thread's newest groups are in flight. Other threads see
/// the copies after the next barrier.
template <int pending>
__device__ inline void wait_for_groups() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
#endif
}

/// The copies of one matrix into shared memory, swizzled: tiles of rows x depth, each one further
/// in k than the last.
///
/// A thread always copies the same 16 bytes of a row, of every rows_at_once-th row. So one question
/// is enough for all its copies: is k in the matrix? Where it is not, zeros come, which add nothing
/// to a product. Rows past the matrix are read as its last row: their results would
/// belong to elements of C that do not exist.
/// @tparam rows, depth of a tile. @tparam threads of the block: all of them take part.
template <int rows, int depth, int threads>
class TileCopies {
 public:
  /// @param[in] matrix rows_of_matrix x K, row-major, 16 aligned, device. @pre K % 8 == 0
  __device__ TileCopies(const bf16* matrix, int first_row, int rows_of_matrix, int K)
      : k_(threadIdx.x % chunks * chunk_elements),
        from_(matrix + k_),
        row_(first_row + threadIdx.x / chunks),
        last_row_(rows_of_matrix - 1),
        K_(K),
        place_(Swizzled<depth>::offset(threadIdx.x / chunks, threadIdx.x % chunks)) {}

  /// Starts the copies of the next tile. @param tile shared address, 16 aligned.
  //! [start_next]
  __device__ void start_next(unsigned tile) {
#pragma unroll
    for (int i = 0; i < rows / rows_at_once; ++i) {
      const int row = min(row_ + i * rows_at_once, last_row_);
      start_copy(k_ < K_, tile + place_ + i * rows_at_once * depth * 2,
                 from_ + static_cast<size_t>(row) * K_);
    }
    from_ += depth;
    k_ += depth;
  }
  //! [start_next]

 private:
  static constexpr int chunks = depth / chunk_elements;
  static constexpr int rows_at_once = threads / chunks;
  // Then row + rows_at_once is swizzled as row is, and its place is a constant away.
  static_assert(threads % chunks == 0 && rows % rows_at_once == 0 && rows_at_once % 8 == 0);

  int k_;
  const bf16* from_;
  int row_, last_row_, K_;
  unsigned place_;
};

}  // namespace tensor
