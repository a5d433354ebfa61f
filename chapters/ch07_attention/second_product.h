#pragma once
#include "../ch06_tensor_cores/warpgroup_matrix.h"
#include "layout.h"

/// \file
/// The two products of attention as a warpgroup starts them: scores into fresh sums, and weights
/// from registers times values. Hopper's alone: for files named *.sm_90a.cu.
namespace attention {

/// A lane's share of a warpgroup's results, 64 queries x 64 columns: as WarpgroupTile, 8 groups.
struct ValueTile {
  float value[tensor::wgmma_m * head_size / tensor::warpgroup_threads] = {};
};

#define WARPWISE_EIGHT(i)                                                                     \
  "+f"(v[i]), "+f"(v[i + 1]), "+f"(v[i + 2]), "+f"(v[i + 3]), "+f"(v[i + 4]), "+f"(v[i + 5]), \
      "+f"(v[i + 6]), "+f"(v[i + 7])

/// Starts s = q * k^T, or s += q * k^T.
/// @param add false: what s holds does not count. @param q, k descriptors of 64 x 16 queries and of
/// 128 x 16 keys.
/// @cost 262,144 flops for the warpgroup. @source PTX manual, wgmma.mma_async.
__device__ inline void start_score_product(tensor::WarpgroupTile<>& s, unsigned long long q,
                                           unsigned long long k, bool add) {
  float* v = s.value;
  asm volatile(
      "{\n"
      ".reg .pred add;\n"
      "setp.ne.b32 add, %66, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, "
      "%18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, "
      "%34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, "
      "%50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, %64, %65, "
      "add, 1, 1, 0, 0;\n"
      "}"
      : WARPWISE_EIGHT(0), WARPWISE_EIGHT(8), WARPWISE_EIGHT(16), WARPWISE_EIGHT(24),
        WARPWISE_EIGHT(32), WARPWISE_EIGHT(40), WARPWISE_EIGHT(48), WARPWISE_EIGHT(56)
      : "l"(q), "l"(k), "r"(static_cast<int>(add))
      : "memory");
}

/// Starts o += p * v. The first operand comes from registers, packed as for mma m16n8k16; rows of v
/// are along the depth, so the second operand is read transposed.
/// @param p the four registers of 16 x 16 weights per warp; they stay with the tensor core until
/// the group was waited for. @param of_v descriptor of 16 keys x 64 columns.
/// @cost 131,072 flops for the warpgroup. @source PTX manual, wgmma.mma_async, register fragments.
__device__ inline void start_value_product(ValueTile& o, const unsigned (&p)[4],
                                           unsigned long long of_v) {
  float* v = o.value;
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, "
      "%18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, {%32, %33, "
      "%34, %35}, %36, 1, 1, 1, 1;"
      : WARPWISE_EIGHT(0), WARPWISE_EIGHT(8), WARPWISE_EIGHT(16), WARPWISE_EIGHT(24)
      : "r"(p[0]), "r"(p[1]), "r"(p[2]), "r"(p[3]), "l"(of_v)
      : "memory");
}

#undef WARPWISE_EIGHT

}  // namespace attention
