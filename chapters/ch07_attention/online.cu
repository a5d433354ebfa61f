/// \file
/// Rung 3 of attention.cpp: a warp per query walks along its keys and keeps a running maximum, a
/// running sum and a running result. No score is stored.
#include "attention_rungs.h"

namespace lesson = warpwise::lesson;

namespace attention {
namespace {

constexpr int queries_of_block = 8;

/// Each lane has two of the 64 columns. A key's score is a sum over the warp; a larger score brings
/// sum and result to its own scale: both are multiplied by 2^((m - m') scale).
/// @param[in] qkv (B, T, 3C), 8 aligned, device. @param[out] out (B, T, C), device.
/// @pre blocks of (32, 8) threads, a warp per query: grid (ceil(T / 8), N).
/// @cost 4 N T T d flops, half of it if causal; 512 bytes of K and V per pair of query and key.
/// @source Milakov and Gimelshein, "Online normalizer calculation for softmax"; Rabe and Staats,
/// "Self-attention Does Not Need O(n^2) Memory".
__global__ void __launch_bounds__(32 * queries_of_block)
    attention_3_online(const float* qkv, float* out, Extents e, float scale, bool causal) {
  const Head<float> head(qkv, out, e, blockIdx.y);
  const int query = blockIdx.x * queries_of_block + threadIdx.y;
  if (query >= e.T) return;
  const int column = threadIdx.x * 2;
  const auto pair_at = [&](const float* rows, int row) {
    return *reinterpret_cast<const float2*>(rows + static_cast<std::size_t>(row) * e.pitch() +
                                            column);
  };
  const float2 q = pair_at(head.q, query);
  const int keys = causal ? query + 1 : e.T;
  float m = -INFINITY, l = 0;
  float2 o = {};
  for (int key = 0; key < keys; ++key) {
    const float2 k = pair_at(head.k, key);
    float score = q.x * k.x + q.y * k.y;
    for (int distance = 16; distance > 0; distance /= 2) {
      score += __shfl_xor_sync(0xFFFFFFFF, score, distance);
    }
    const float largest = fmaxf(m, score);
    // Of the first key m is minus infinity, and the factor 0.
    const float factor = power_of_two((m - largest) * scale);
    const float p = power_of_two((score - largest) * scale);
    const float2 v = pair_at(head.v, key);
    l = l * factor + p;
    o = {o.x * factor + p * v.x, o.y * factor + p * v.y};
    m = largest;
  }
  *reinterpret_cast<float2*>(head.out + static_cast<std::size_t>(query) * e.C() + column) = {
      o.x / l, o.y / l};
}

lesson::Shape online_shape(const Extents& e) {
  return {.grid = dim3(ceil_div(e.T, queries_of_block), e.N()), .block = {32, queries_of_block}};
}

}  // namespace

void start_online(const float* qkv, float* out, Extents e, float scale, bool causal,
                  cudaStream_t stream) {
  const lesson::Shape shape = online_shape(e);
  attention_3_online<<<shape.grid, shape.block, 0, stream>>>(qkv, out, e, scale, causal);
  lesson::check(cudaGetLastError());
}

void online_rungs(lesson::Trial& run, const Attention& a) {
  run.variant("warp per query, fp32", attention_3_online, online_shape(a.e), a.qkv, a.out, a.e,
              a.scale, a.causal);
}

}  // namespace attention
