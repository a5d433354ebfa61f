#pragma once
#include "attention_problem.h"

/// \file
/// The rungs of attention.cpp, by the file that holds their kernels. Each function names its rungs
/// to a trial whose output has been made.
namespace attention {

/// three_kernels.cu: rungs 1 and 2, float. Their score matrix takes 4 N T T bytes.
void three_kernel_rungs(warpwise::lesson::Trial& run, const Attention& a);
/// online.cu: rung 3, float.
void online_rungs(warpwise::lesson::Trial& run, const Attention& a);
/// tiles.cu: rung 4, float.
void tile_rungs(warpwise::lesson::Trial& run, const Attention& a);
/// warp_products.cu: rung 5, bf16 by mma.sync. @pre sm_80
void warp_product_rungs(warpwise::lesson::Trial& run, const Attention& a);
/// warpgroups.sm_90a.cu: rungs 6 and 7, bf16 by wgmma. @pre sm_90a
void warpgroup_rungs(warpwise::lesson::Trial& run, const Attention& a);

/// Start a rung, on the default stream if no other is given, for callers that are not a ladder: the
/// prefix test, whole models, and programs that take turns with another library.
/// @throws Stop when a launch is refused.
void start_online(const float* qkv, float* out, Extents e, float scale, bool causal,
                  cudaStream_t stream = nullptr);
void start_tiles(const float* qkv, float* out, Extents e, float scale, bool causal,
                 cudaStream_t stream = nullptr);
void start_warp_products(const bf16* qkv, bf16* out, Extents e, float scale, bool causal,
                         cudaStream_t stream = nullptr);
/// Whether blocks stay on their SM: 1 where there are more tiles of queries than SMs, else 0.
int warpgroup_rung_for(const Extents& e);
/// @param rung of warpgroups.sm_90a.cu: 0 bulk copies, 1 persistent, 2 softmax under products.
void start_warpgroup_rung(int rung, const bf16* qkv, bf16* out, Extents e, float scale, bool causal,
                          cudaStream_t stream = nullptr);

}  // namespace attention
