#pragma once
#include "../ch05_warp_reduce/layernorm.h"

/// \file
/// LayerNorm by a warp per row, alone and after the residual, by chapter 5's row in registers.
namespace gpt {

/// @param[in] x (rows, C), weight and bias C, device. @param[out] y (rows, C), device.
/// @pre C a multiple of 4, at most 128 packs; blocks of (32, 4), any grid.
/// @cost 8 bytes per number.
template <int packs>
__global__ void __launch_bounds__(128)
    norm_warp(const float* x, const float* weight, const float* bias, float* y, int count, int C) {
  const int warps = gridDim.x * blockDim.y;
  for (int row = blockIdx.x * blockDim.y + threadIdx.y; row < count; row += warps) {
    const std::size_t begin = rows::row_begin(row, C);
    rows::Pack<4> kept[packs];
    rows::load_row(kept, reinterpret_cast<const rows::Pack<4>*>(x + begin), C / 4);
    rows::normalise_row(kept, weight, bias, y + begin, C);
  }
}

/// x += added, y = LayerNorm(x): the residual stream is changed in place, and its row is
/// normalised before it leaves the registers.
/// @param[in,out] x (rows, C), device. @param[in] added as x. The rest as norm_warp().
/// @cost 16 bytes per number; two kernels move 20.
template <int packs>
__global__ void __launch_bounds__(128)
    residual_norm(float* x, const float* added, const float* weight, const float* bias, float* y,
                  int count, int C) {
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
    rows::normalise_row(kept, weight, bias, y + begin, C);
  }
}

}  // namespace gpt
