#pragma once
#include "warp_matrix.h"

/// \file
/// A warpgroup's matrix instruction for bf16, as thin as it gets: wgmma m64nNk16 with N of 128, 192
/// and 256, both factors in shared memory. It is Hopper's alone: code for sm_90a, compiled in files
/// named *.sm_90a.cu.
namespace tensor {

/// Warps that execute wgmma together, and the rows of A, rows of B and depth that it takes.
inline constexpr int warpgroup_threads = 128;
inline constexpr int wgmma_m = 64, wgmma_n = 128, wgmma_k = 16;

/// Tells the tensor core where a factor's tile is: rows of 64 numbers, 128 bytes, whose chunks
/// have changed places as in Swizzled<64>. Addresses and distances count 16 bytes.
/// @param tile shared address of the first row, of which number 8, 16, ... may start at any
/// multiple of 1024; plus 32 bytes for each further 16 in k.
/// @source PTX manual, matrix descriptor of wgmma.
__device__ inline unsigned long long tile_descriptor(unsigned tile) {
  constexpr unsigned long long eight_rows = 8 * 128 / 16, swizzled_in_128_bytes = 1;
  return (tile & 0x3FFFF) / 16 | 1ULL << 16 | eight_rows << 32 | swizzled_in_128_bytes << 62;
}

/// A lane's share of a 64 x n tile of C. Warp w of the four has rows 16w to 16w + 15, which are
/// in its lanes as after mma: eight columns are four values, the next eight the next four.
template <int n = wgmma_n>
struct WarpgroupTile {
  float value[wgmma_m * n / warpgroup_threads] = {};
};

/// Before the first product: registers and shared memory are as the tensor core is to see them.
/// @pre all 128 threads call it, as all that follow.
__device__ inline void begin_products() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }

/// Closes the group of products since the last one.
__device__ inline void end_products() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

/// Waits until at most `pending` of the newest groups are in flight. Until then no thread may
/// touch their sums or their tiles.
template <int pending>
__device__ inline void wait_for_products() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(pending) : "memory");
}

/// What was written to shared memory by stores and by cp.async is seen by the tensor core, which
/// reads it on another way, once a barrier follows.
__device__ inline void show_to_tensor_core() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

// The sums in the text of an instruction, and as its operands.
#define SUMS_64                                                                      \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, " \
  "%18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, " \
  "%34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, " \
  "%50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define SUMS_96                                                                      \
  "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, " \
  "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95"
#define SUMS_128                                                                     \
  "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, " \
  "%110, %111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, "   \
  "%123, %124, %125, %126, %127"
#define EIGHT(i)                                                                              \
  "+f"(v[i]), "+f"(v[i + 1]), "+f"(v[i + 2]), "+f"(v[i + 3]), "+f"(v[i + 4]), "+f"(v[i + 5]), \
      "+f"(v[i + 6]), "+f"(v[i + 7])

/// Starts c += a * b. The sums stay with the tensor core until the group was waited for.
/// @param a, b descriptors of 64 x 16 numbers and of n x 16.
/// @cost 2048 n flops for the warpgroup.
/// @source PTX manual, wgmma.mma_async.
__device__ inline void start_product(WarpgroupTile<128>& c, unsigned long long a,
                                     unsigned long long b) {
  float* v = c.value;
  asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {" SUMS_64
               "}, %64, %65, 1, 1, 1, 0, 0;"
               : EIGHT(0), EIGHT(8), EIGHT(16), EIGHT(24), EIGHT(32), EIGHT(40), EIGHT(48),
                 EIGHT(56)
               : "l"(a), "l"(b)
               : "memory");
}

/// \copydoc start_product(WarpgroupTile<128>&, unsigned long long, unsigned long long)
__device__ inline void start_product(WarpgroupTile<192>& c, unsigned long long a,
                                     unsigned long long b) {
  float* v = c.value;
  asm volatile("wgmma.mma_async.sync.aligned.m64n192k16.f32.bf16.bf16 {" SUMS_64 ", " SUMS_96
               "}, %96, %97, 1, 1, 1, 0, 0;"
               : EIGHT(0), EIGHT(8), EIGHT(16), EIGHT(24), EIGHT(32), EIGHT(40), EIGHT(48),
                 EIGHT(56), EIGHT(64), EIGHT(72), EIGHT(80), EIGHT(88)
               : "l"(a), "l"(b)
               : "memory");
}

/// \copydoc start_product(WarpgroupTile<128>&, unsigned long long, unsigned long long)
__device__ inline void start_product(WarpgroupTile<256>& c, unsigned long long a,
                                     unsigned long long b) {
  float* v = c.value;
  asm volatile("wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {" SUMS_64 ", " SUMS_96
               ", " SUMS_128 "}, %128, %129, 1, 1, 1, 0, 0;"
               : EIGHT(0), EIGHT(8), EIGHT(16), EIGHT(24), EIGHT(32), EIGHT(40), EIGHT(48),
                 EIGHT(56), EIGHT(64), EIGHT(72), EIGHT(80), EIGHT(88), EIGHT(96), EIGHT(104),
                 EIGHT(112), EIGHT(120)
               : "l"(a), "l"(b)
               : "memory");
}

#undef EIGHT
#undef SUMS_128
#undef SUMS_96
#undef SUMS_64

/// Hands every element that is in the matrix to the epilogue, two neighbours at a time.
/// @param first_row, first_column of the tile. @param epilogue as of WarpTile::store.
template <int n, class Epilogue>
__device__ void store(const WarpgroupTile<n>& c, int first_row, int first_column, int M, int N,
                      const Epilogue& epilogue) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x % warpgroup_threads / 32;
  const int row = first_row + warp * 16 + lane / 4;
#pragma unroll
  for (int i = 0; i < n / 8; ++i) {
    const int column = first_column + i * 8 + lane % 4 * 2;
    const float* value = c.value + i * 4;
    if (column < N) {
      if (row < M) epilogue(row, column, value[0], value[1]);
      if (row + 8 < M) epilogue(row + 8, column, value[2], value[3]);
    }
  }
}

}  // namespace tensor
