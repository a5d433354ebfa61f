#pragma once
#include <cuda_bf16.h>

#include "../ch05_warp_reduce/layernorm.h"

/// \file
/// LayerNorm by a warp per row, alone and after the residual, by chapter 5's row in registers. The
/// normalised row is float, or bf16 where a tensor core's product reads it.
namespace rows {

/// Four numbers, rounded to bf16, by one store.
inline __device__ void store_pack(__nv_bfloat16* out, int pack, const Pack<4>& value) {
  const __nv_bfloat162 pairs[2] = {__floats2bfloat162_rn(value.value[0], value.value[1]),
                                   __floats2bfloat162_rn(value.value[2], value.value[3])};
  reinterpret_cast<uint2*>(out)[pack] = *reinterpret_cast<const uint2*>(pairs);
}

}  // namespace rows

namespace gpt {

/// @tparam Out float or bf16.
/// @param[in] x (rows, C), weight and bias C, device. @param[out] y (rows, C), device.
/// @pre C a multiple of 4, at most 128 packs; blocks of (32, 4), any grid.
/// @cost 8 bytes per number.
template <int packs, class Out>
__global__ void __launch_bounds__(128)
    norm_warp(const float* x, const float* weight, const float* bias, Out* y, int count, int C,
              float epsilon) {
  const int warps = gridDim.x * blockDim.y;
  for (int row = blockIdx.x * blockDim.y + threadIdx.y; row < count; row += warps) {
    const std::size_t begin = rows::row_begin(row, C);
    rows::Pack<4> kept[packs];
    rows::load_row(kept, reinterpret_cast<const rows::Pack<4>*>(x + begin), C / 4);
    rows::normalise_row(kept, weight, bias, y + begin, C, epsilon);
  }
}

/// x += added, y = LayerNorm(x): the residual stream is changed in place, and its row is
/// normalised before it leaves the registers.
/// @param[in,out] x (rows, C), device. @param[in] added as x. The rest as norm_warp().
/// @cost 16 bytes per number; two kernels move 20.
template <int packs, class Out>
__global__ void __launch_bounds__(128)
    residual_norm(float* x, const float* added, const float* weight, const float* bias, Out* y,
                  int count, int C, float epsilon) {
  const int warps = gridDim.x * blockDim.y;
  for (int row = blockIdx.x * blockDim.y + threadIdx.y; row < count; row += warps) {
    const std::size_t begin = rows::row_begin(row, C);
    rows::Pack<4> kept[packs], other[packs];
    auto* stream = reinterpret_cast<rows::Pack<4>*>(x + begin);
    rows::load_row(kept, stream, C / 4);
    rows::load_row(other, reinterpret_cast<const rows::Pack<4>*>(added + begin), C / 4);
#pragma unroll
    for (int i = 0; i < packs; ++i) {
#pragma unroll
      for (int e = 0; e < 4; ++e) kept[i].value[e] += other[i].value[e];
      const int pack = i * rows::warp_size + threadIdx.x;
      if (pack < C / 4) stream[pack] = kept[i];
    }
    rows::normalise_row(kept, weight, bias, y + begin, C, epsilon);
  }
}

}  // namespace gpt
