#pragma once
#include "../ch06_tensor_cores/warp_matrix.h"
#include "../ch07_attention/gelu_forms.h"
#include "lesson/device/launch.h"

/// \file
/// y = x * W^T + bias in bf16 on tensor cores, by two of chapter 6's kernels.
namespace gpt {

using tensor::bf16;

/// A product with weights and what belongs to it.
struct HalfLinear {
  const bf16 *x, *w;  ///< (M, K), (N, K), 16 aligned, device.
  const float* bias;  ///< N, or null; 8 aligned, device.
  void* y;            ///< (M, N) bf16 or float, 16 aligned, device.
  int M, N, K;
};

/// What a product leaves.
enum class Leaves { halves, halves_after_tanh_gelu, halves_after_erf_gelu, floats };

/// No activation, in the place of one of gelu_forms.h.
struct AsIs {
  static __device__ float of(float x) { return x; }
};

/// Calls `use` with the number type and the activation of what a product leaves. GELU by tanh is
/// computed by one exponential: its error is far below a rounding to bf16.
template <class Use>
void with_leaves(Leaves leaves, const Use& use) {
  switch (leaves) {
    case Leaves::halves:
      return use(bf16{}, AsIs{});
    case Leaves::halves_after_tanh_gelu:
      return use(bf16{}, attention::Sigmoid{});
    case Leaves::halves_after_erf_gelu:
      return use(bf16{}, attention::Erf{});
    case Leaves::floats:
      return use(float{}, AsIs{});
  }
}

/// By mma.sync, chapter 6's pipeline, a block per tile. @pre K a multiple of 8, N even; sm_80
void start_pipeline(const HalfLinear& l, Leaves leaves, cudaStream_t stream);

/// By wgmma, chapter 6's blocks that stay, cut by the shape. @pre K a multiple of 8, N of 8; sm_90a
void start_warpgroups(const HalfLinear& l, Leaves leaves, cudaStream_t stream);

}  // namespace gpt
