#pragma once
#include "../ch05_warp_reduce/rows.h"
#include "../ch07_attention/gelu_forms.h"
#include "first_layers.h"

/// \file
/// The layers of one token: as many rows as sequences, each product a walk through its weights. The
/// position of a sequence is in device memory, so that one recorded step serves all tokens.
namespace gpt {

using attention::bf16;

/// x[b] = wte[token] + wpe[position[b]], the token at that position.
/// @param[in] tokens (B, Tmax), position B, wte, wpe, device. @param[out] x (B, C), device.
/// @pre a block per sequence. @cost 12 bytes per number.
__global__ inline void embed_next(const int* tokens, const int* position, const float* wte,
                                  const float* wpe, float* x, int Tmax, int C) {
  const int b = blockIdx.x, now = position[b];
  const int token = tokens[at(b, Tmax) + now];
  for (int c = threadIdx.x; c < C; c += blockDim.x) {
    x[at(b, C) + c] = wte[at(token, C) + c] + wpe[at(now, C) + c];
  }
}

/// Four numbers, as floats.
__device__ inline float4 four_of(const float* from) {
  return *reinterpret_cast<const float4*>(from);
}
__device__ inline float4 four_of(const bf16* from) {
  const uint2 bits = *reinterpret_cast<const uint2*>(from);
  const auto* pairs = reinterpret_cast<const __nv_bfloat162*>(&bits);
  const float2 a = __bfloat1622float2(pairs[0]), b = __bfloat1622float2(pairs[1]);
  return {a.x, a.y, b.x, b.y};
}

/// y = x * W^T + bias for a few rows: a warp per row of W, which it reads once from memory; the
/// rows of x come from the caches.
/// @tparam In float or bf16. @tparam with_gelu whether GELU by tanh follows.
/// @param[in] x (B, K), w (N, K), bias N or null, 16 aligned, device. @param[out] y (B, N), device.
/// @pre K a multiple of 4; blocks of (32, 4) threads, grid ceil(N / 4).
/// @cost reads 4 N K bytes; 2 B N K flops.
template <class In, bool with_gelu>
__global__ void __launch_bounds__(128)
    few_rows_product(const In* x, const float* w, const float* bias, float* y, int B, int N,
                     int K) {
  const int n = blockIdx.x * blockDim.y + threadIdx.y;
  if (n >= N) return;
  for (int b = 0; b < B; ++b) {
    float sum = 0;
#pragma unroll 4
    for (int k = threadIdx.x * 4; k < K; k += 128) {
      const float4 of_w = four_of(w + at(n, K) + k), of_x = four_of(x + at(b, K) + k);
      sum += of_w.x * of_x.x + of_w.y * of_x.y + of_w.z * of_x.z + of_w.w * of_x.w;
    }
    sum = rows::warp_sum(sum);
    if (bias) sum += bias[n];
    if constexpr (with_gelu) sum = attention::Tanh::of(sum);
    if (threadIdx.x == 0) y[at(b, N) + n] = sum;
  }
}

/// Rounds the newest query, key and value of each head, and stores key and value in the cache.
/// @param[in] qkv (B, 3C), position B, device. @param[out] q (B, H, 64), keys and values (B, H,
/// Tmax, 64), device.
/// @pre blocks of 64 threads, grid (H, B). @cost 18 bytes per number of C.
__global__ inline void keep_token(const float* qkv, const int* position, bf16* q, bf16* keys,
                                  bf16* values, int H, int Tmax) {
  const int n = blockIdx.y * H + blockIdx.x, c = threadIdx.x, C = H * attention::head_size;
  const float* row = qkv + at(blockIdx.y, 3 * C) + blockIdx.x * attention::head_size + c;
  const std::size_t slot = at(n, Tmax) + position[blockIdx.y];
  q[at(n, attention::head_size) + c] = __float2bfloat16(row[0]);
  keys[slot * attention::head_size + c] = __float2bfloat16(row[C]);
  values[slot * attention::head_size + c] = __float2bfloat16(row[2 * C]);
}

/// The most likely token goes to the next place, unless the prompt has one there; then the position
/// moves on.
/// @param[in] logits (B, Vp): the padded columns do not count, device.
/// @param[in,out] tokens (B, Tmax), position B, device. @param prompt tokens of each sequence that
/// are given. @pre a block of block_threads per sequence.
__global__ inline void take_best(const float* logits, int* tokens, int* position, int prompt,
                                 int Tmax, int V, int Vp) {
  __shared__ float best[block_threads];
  __shared__ int best_id[block_threads];
  const float* row = logits + at(blockIdx.x, Vp);
  float largest = -INFINITY;
  int id = V;
  for (int v = threadIdx.x; v < V; v += block_threads) {
    if (row[v] > largest) largest = row[v], id = v;
  }
  best[threadIdx.x] = largest, best_id[threadIdx.x] = id;
  for (int half = block_threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x >= half) continue;
    const float other = best[threadIdx.x + half];
    const int other_id = best_id[threadIdx.x + half];
    // Of equal logits the lower token.
    if (other > best[threadIdx.x] ||
        (other == best[threadIdx.x] && other_id < best_id[threadIdx.x])) {
      best[threadIdx.x] = other, best_id[threadIdx.x] = other_id;
    }
  }
  if (threadIdx.x != 0) return;
  const int next = position[blockIdx.x] + 1;
  if (next >= prompt && next < Tmax) tokens[at(blockIdx.x, Tmax) + next] = best_id[0];
  position[blockIdx.x] = next;
}

}  // namespace gpt
