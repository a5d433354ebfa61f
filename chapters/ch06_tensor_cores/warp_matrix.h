#pragma once
#include <cuda_bf16.h>

/// \file
/// A warp's matrix instructions for bf16, as thin as they get: mma.sync m16n8k16 and ldmatrix.
///
/// sm_75 and older have no bf16 product: the functions trap there, and the program skips their
/// rungs.
namespace tensor {

using bf16 = __nv_bfloat16;

/// Rows of A and C, columns of B and C, and depth that one mma.sync takes.
inline constexpr int mma_m = 16, mma_n = 8, mma_k = 16;

/// A lane's share of a 16 x 16 tile of A: four registers, two neighbours in k in each.
/// With g = lane / 4 and t = lane % 4: rows g, g + 8, g, g + 8; columns 2t, 2t, 2t + 8, 2t + 8.
struct FragmentA {
  unsigned pair[4];
};

/// A lane's share of a 16 x 8 tile of B: rows 2t and 2t + 8 (k), both in column g (n).
struct FragmentB {
  unsigned pair[2];
};

/// A lane's share of a 16 x 8 tile of C: (g, 2t), (g, 2t + 1), (g + 8, 2t), (g + 8, 2t + 1).
struct Accumulator {
  float value[4];
};

/// c += a * b, by the whole warp. @pre all 32 lanes call it.
/// @cost 4096 flops for the warp.
/// @source PTX manual, matrix fragments for mma.m16n8k16 with .bf16.
__device__ inline void multiply_add(Accumulator& c, const FragmentA& a, const FragmentB& b) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(c.value[0]), "+f"(c.value[1]), "+f"(c.value[2]), "+f"(c.value[3])
      : "r"(a.pair[0]), "r"(a.pair[1]), "r"(a.pair[2]), "r"(a.pair[3]), "r"(b.pair[0]),
        "r"(b.pair[1]));
#else
  __trap();
#endif
}

/// The address of something in shared memory as PTX instructions want it: bytes from its beginning.
__device__ inline unsigned shared_address(const void* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

/// Four 8 x 8 matrices of 16-bit elements, one register of each for every lane. Lanes 8i to 8i + 7
/// bring the addresses of the eight rows of matrix i; lane 4g + t gets elements 2t and 2t + 1 of
/// row g: what mma wants.
/// @param row shared address of 16 aligned bytes.
/// @pre all 32 lanes call it.
/// @source PTX manual, ldmatrix.
__device__ inline void load_matrices(unsigned row, unsigned& first, unsigned& second,
                                     unsigned& third, unsigned& fourth) {
#if __CUDA_ARCH__ >= 750
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(first), "=r"(second), "=r"(third), "=r"(fourth)
               : "r"(row)
               : "memory");
#else
  __trap();
#endif
}

}  // namespace tensor
