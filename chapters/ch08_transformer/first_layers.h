#pragma once
#include <cuda_runtime.h>

#include <cstddef>

#include "../ch07_attention/gelu_forms.h"

/// \file
/// The layers of rung 1, one idea each, as the article has them. T is float; double where they
/// are the reference of a model that is too large for the host.
namespace gpt {

inline constexpr int tile = 16;
inline constexpr int block_threads = 256;

__device__ inline std::size_t at(int row, int columns) {
  return static_cast<std::size_t>(row) * columns;
}

/// x[row] = wte[tokens[row]] + wpe[row % T].
/// @param[in] tokens rows, wte (Vp, C), wpe (max T, C), device. @param[out] x (rows, C), device.
/// @pre a block per row, any number of threads.
/// @cost 12 bytes per number. @source chapter 2, a block per token.
template <class T>
__global__ void embed(const int* tokens, const float* wte, const float* wpe, T* x,
                      int tokens_of_row, int C) {
  const int row = blockIdx.x;
  for (int c = threadIdx.x; c < C; c += blockDim.x) {
    x[at(row, C) + c] = T(wte[at(tokens[row], C) + c]) + wpe[at(row % tokens_of_row, C) + c];
  }
}

/// The sum of a block's values, in every thread. @pre block_threads threads, all call it.
template <class T>
__device__ T block_sum(T value) {
  __shared__ T part[block_threads];
  // No thread still reads the sum before.
  __syncthreads();
  part[threadIdx.x] = value;
  for (int half = block_threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
  }
  __syncthreads();
  return part[0];
}

/// LayerNorm, a block per row, sums through shared memory.
/// @param epsilon added to the variance: GPT-2 has 1e-5, ViT-B/16 1e-12.
/// @param[in] x (rows, C), weight and bias C, device. @param[out] y (rows, C), device.
/// @pre a block of block_threads per row.
/// @cost reads x three times, writes y once. @source the article's first approach.
template <class T>
__global__ void norm_block(const T* x, const float* weight, const float* bias, T* y, int C,
                           double epsilon) {
  const T* in = x + at(blockIdx.x, C);
  T sum = 0;
  for (int c = threadIdx.x; c < C; c += block_threads) sum += in[c];
  const T mean = block_sum(sum) / C;
  T squares = 0;
  for (int c = threadIdx.x; c < C; c += block_threads) squares += (in[c] - mean) * (in[c] - mean);
  const T scale = 1 / sqrt(block_sum(squares) / C + T(epsilon));
  for (int c = threadIdx.x; c < C; c += block_threads) {
    y[at(blockIdx.x, C) + c] = (in[c] - mean) * scale * weight[c] + bias[c];
  }
}

/// y = x * W^T + bias, by 16 x 16 tiles.
/// @param[in] x (M, K), w (N, K), bias N or null, device. @param[out] y (M, N), device.
/// @pre blocks of (16, 16) threads, grid (ceil(N / 16), ceil(M / 16)).
/// @cost 2 M N K flops; two floats from shared memory per multiply-add.
/// @source chapter 3, tiles of 16; here the second matrix is stored by output.
template <class T>
__global__ void linear_tiles(const T* x, const float* w, const float* bias, T* y, int M, int N,
                             int K) {
  __shared__ T x_tile[tile][tile];
  // One column more: a warp reads this tile down its columns.
  __shared__ float w_tile[tile][tile + 1];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * tile + ty, column = blockIdx.x * tile + tx;
  const int w_row = blockIdx.x * tile + ty;
  T sum = 0;
  for (int k = 0; k < K; k += tile) {
    x_tile[ty][tx] = row < M && k + tx < K ? x[at(row, K) + k + tx] : T(0);
    w_tile[ty][tx] = w_row < N && k + tx < K ? w[at(w_row, K) + k + tx] : 0.0F;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < tile; ++i) sum += x_tile[ty][i] * w_tile[tx][i];
    // All threads have read the tiles before the next iteration overwrites them.
    __syncthreads();
  }
  if (row < M && column < N) y[at(row, N) + column] = bias ? sum + bias[column] : sum;
}

/// x += y. @param x, y `count` numbers, device. @pre blocks of block_threads, a thread per number.
/// @cost 12 bytes per number.
template <class T>
__global__ void add(T* x, const T* y, std::size_t count) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count) x[i] += y[i];
}

/// GELU in place. @param by_erf the definition; else GPT-2's form, by tanh. @pre as add(). @cost 8
/// bytes per number.
template <class T>
__global__ void activate(T* x, std::size_t count, bool by_erf) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const T value = x[i];
  if constexpr (sizeof(T) == 4) {
    x[i] = by_erf ? attention::Erf::of(value) : attention::Tanh::of(value);
  } else if (by_erf) {
    x[i] = 0.5 * value * (1 + erf(value * 0.7071067811865476));
  } else {
    x[i] =
        0.5 * value * (1 + tanh(0.7978845608028654 * (value + 0.044715 * value * value * value)));
  }
}

/// y += bias, for products that have none.
/// @param y (rows, N), device. @pre as add(). @cost 8 bytes per number.
__global__ inline void add_bias(float* y, const float* bias, std::size_t count, int N) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count) y[i] += bias[i % N];
}

}  // namespace gpt
