#pragma once
#include "../ch06_tensor_cores/pipelined_product.h"

/// \file
/// y = x * W^T + bias in bf16 on tensor cores, by chapter 6's pipeline, with what follows the
/// product in its epilogue.
namespace gpt {

using tensor::bf16;

/// Adds the bias, applies an activation, rounds if the result is bf16, and stores two neighbours at
/// once.
/// @tparam Out float or bf16. @tparam Act its of(x) is the activation.
template <class Out, class Act>
struct FinishPair {
  const float* bias;  ///< N, or null
  Out* y;
  int N;

  /// @pre N is even.
  __device__ void operator()(int row, int column, float first, float second) const {
    if (bias) first += bias[column], second += bias[column + 1];
    first = Act::of(first), second = Act::of(second);
    Out* to = y + static_cast<std::size_t>(row) * N + column;
    if constexpr (sizeof(Out) == 2) {
      *reinterpret_cast<__nv_bfloat162*>(to) = __floats2bfloat162_rn(first, second);
    } else {
      *reinterpret_cast<float2*>(to) = {first, second};
    }
  }
};

/// @tparam T a tensor::Tiling. @param[in] x (M, K), w (N, K), bf16, 16 aligned, bias N or null,
/// device. @param[out] y (M, N), device.
/// @pre K a multiple of 8, N even; sm_80; a block per tile, T::threads threads, T::shared_bytes
/// dynamic.
/// @cost 2 M N K flops; at least 2 (M + N) K bytes.
/// @source chapter 6, the pipeline.
template <class T, class Out, class Act>
__global__ void __launch_bounds__(T::threads, T::blocks_per_sm)
    linear_pipelined(const bf16* x, const bf16* w, const float* bias, Out* y, int M, int N, int K) {
  tensor::product_by_pipeline<T>(x, w, M, N, K, FinishPair<Out, Act>{bias, y, N});
}

}  // namespace gpt
