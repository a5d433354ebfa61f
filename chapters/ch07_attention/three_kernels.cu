/// \file
/// Rungs 1 and 2 of attention.cpp: scores, softmax and weighted sum one after the other, with the
/// score matrix in device memory in between.
#include <memory>

#include "../ch05_warp_reduce/softmax.h"
#include "attention_rungs.h"
#include "lesson/cublas.h"
#include "lesson/device/device_array.h"
#include "scores.h"

namespace lesson = warpwise::lesson;

namespace attention {
namespace {

constexpr int tile = 16;
constexpr int softmax_warps = 4;

/// Where the scores of a query of a head begin. 64 bits: N T T passes 2^31 at 11 x 12 heads of
/// 4096.
__device__ std::size_t score_row(int n, int T, int query) {
  return (static_cast<std::size_t>(n) * T + query) * T;
}

/// S = Q * K^T for every head, by chapter 3's tiles.
/// @param[in] qkv (B, T, 3C), device. @param[out] scores (N, T, T), device.
/// @pre blocks of (16, 16) threads; grid (ceil(T / 16), ceil(T / 16), N): keys along x.
/// @cost 2 N T T d flops; writes 4 N T T bytes.
/// @source chapter 3, 16 x 16 tiles.
__global__ void attention_1_scores(const float* qkv, float* scores, Extents e) {
  __shared__ float tile_q[tile][tile];
  // One column more: threads of a warp read this tile down its columns.
  __shared__ float tile_k[tile][tile + 1];
  const Head<float> head(qkv, nullptr, e, blockIdx.z);
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int query = blockIdx.y * tile + ty, key = blockIdx.x * tile + tx;
  const int key_to_load = blockIdx.x * tile + ty;
  float sum = 0;
  for (int first = 0; first < head_size; first += tile) {
    const int column = first + tx;
    tile_q[ty][tx] =
        query < e.T ? head.q[static_cast<std::size_t>(query) * e.pitch() + column] : 0.0F;
    tile_k[ty][tx] = key_to_load < e.T
                         ? head.k[static_cast<std::size_t>(key_to_load) * e.pitch() + column]
                         : 0.0F;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < tile; ++i) sum += tile_q[ty][i] * tile_k[tx][i];
    // All threads have read the tiles before the next iteration overwrites them.
    __syncthreads();
  }
  if (query < e.T && key < e.T) store_score(&scores[score_row(blockIdx.z, e.T, query) + key], sum);
}

/// Weights of a row from its scores: 2^((s - m) scale) over their sum. The row stays in shared
/// memory, so that it is read once.
/// @param[in] scores, @param[out] weights (N, T, T), device; may be the same.
/// @pre blocks of 128 threads, a warp per row of the N T; 4 T floats of dynamic shared memory.
/// @cost reads and writes 4 N T T bytes.
/// @source chapter 5, softmax with the row kept.
__global__ void attention_1_softmax(const float* scores, float* weights, Extents e, float scale,
                                    bool causal) {
  extern __shared__ float kept[];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int row = blockIdx.x * softmax_warps + warp;
  if (row >= e.N() * e.T) return;
  const int query = row % e.T;
  const std::size_t begin = static_cast<std::size_t>(row) * e.T;
  float* own = kept + warp * e.T;
  float largest = -INFINITY;
  for (int key = lane; key < e.T; key += 32) {
    const float score = load_score(&scores[begin + key]);
    own[key] = causal && key > query ? -INFINITY : score;
    largest = fmaxf(largest, own[key]);
  }
  largest = rows::combined_in_warp<rows::larger>(largest);
  float sum = 0;
  for (int key = lane; key < e.T; key += 32) {
    own[key] = power_of_two((own[key] - largest) * scale);
    sum += own[key];
  }
  sum = rows::warp_sum(sum);
  for (int key = lane; key < e.T; key += 32) store_score(&weights[begin + key], own[key] / sum);
}

/// O = P * V for every head. A block has all 64 columns, so that each weight is read once.
/// @param[in] weights (N, T, T), qkv (B, T, 3C), device. @param[out] out (B, T, C), device.
/// @pre blocks of (16, 16) threads; grid (1, ceil(T / 16), N).
/// @cost 2 N T T d flops; reads 4 N T T bytes.
__global__ void attention_1_weighted(const float* weights, const float* qkv, float* out,
                                     Extents e) {
  constexpr int columns = head_size / tile;
  __shared__ float tile_p[tile][tile];
  // Half a line more: the two rows that a warp writes are in different banks.
  __shared__ float tile_v[tile][head_size + 16];
  const Head<float> head(qkv, out, e, blockIdx.z);
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int query = blockIdx.y * tile + ty;
  float sum[columns] = {};
  for (int first = 0; first < e.T; first += tile) {
    const bool inside = query < e.T && first + tx < e.T;
    tile_p[ty][tx] =
        inside ? load_score(&weights[score_row(blockIdx.z, e.T, query) + first + tx]) : 0.0F;
#pragma unroll
    for (int j = 0; j < columns; ++j) {
      const int column = tx + j * tile;
      tile_v[ty][column] = first + ty < e.T
                               ? head.v[static_cast<std::size_t>(first + ty) * e.pitch() + column]
                               : 0.0F;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < tile; ++i) {
#pragma unroll
      for (int j = 0; j < columns; ++j) sum[j] += tile_p[ty][i] * tile_v[i][tx + j * tile];
    }
    // As above.
    __syncthreads();
  }
  if (query >= e.T) return;
#pragma unroll
  for (int j = 0; j < columns; ++j) {
    head.out[static_cast<std::size_t>(query) * e.C() + tx + j * tile] = sum[j];
  }
}

lesson::Shape tiles_of(const Extents& e, int columns) {
  return {.grid = dim3(columns, ceil_div(e.T, tile), e.N()), .block = dim3(tile, tile)};
}

void start_softmax(const Attention& a, float* scores) {
  const std::size_t shared_bytes = sizeof(float) * softmax_warps * a.e.T;
  lesson::bind_launch(
      reinterpret_cast<const void*>(attention_1_softmax),
      {.grid = ceil_div(a.e.N() * a.e.T, softmax_warps),
       .block = softmax_warps * 32,
       .shared_bytes = shared_bytes},
      std::tuple(static_cast<const float*>(scores), scores, a.e, a.scale, a.causal))();
}

/// One score matrix per program and size: the ladder's two rungs take turns with it.
float* score_matrix(const Extents& e, std::shared_ptr<lesson::DeviceArray<float>>& owner) {
  owner = std::make_shared<lesson::DeviceArray<float>>(static_cast<std::size_t>(e.N()) * e.T * e.T,
                                                       "scores");
  return *owner;
}

}  // namespace

void three_kernel_rungs(lesson::Trial& run, const Attention& a) {
  std::shared_ptr<lesson::DeviceArray<float>> owner;
  float* scores = score_matrix(a.e, owner);
  run.work("three kernels, fp32", [a, scores, owner] {
    const lesson::Shape of_scores = tiles_of(a.e, ceil_div(a.e.T, tile));
    attention_1_scores<<<of_scores.grid, of_scores.block>>>(a.qkv, scores, a.e);
    lesson::check(cudaGetLastError());
    start_softmax(a, scores);
    const lesson::Shape of_out = tiles_of(a.e, 1);
    attention_1_weighted<<<of_out.grid, of_out.block>>>(scores, a.qkv, a.out, a.e);
    lesson::check(cudaGetLastError());
  });

  // S = Q K^T, then O = P V; the heads of a sequence are one batch, 64 columns apart.
  const auto C = static_cast<std::size_t>(a.e.C());
  const int T = a.e.T, pitch = a.e.pitch();
  const long long matrix = static_cast<long long>(T) * T;
  std::vector<lesson::LibraryCall> calls;
  for (int b = 0; b < a.e.B; ++b) {
    const float* q = a.qkv + static_cast<std::size_t>(b) * T * pitch;
    calls.push_back(lesson::cublas_batched_product(
        {T, T, head_size, a.e.H}, {q, pitch, head_size}, {q + C, pitch, head_size},
        {scores + b * a.e.H * matrix, T, matrix}, lesson::SecondMatrix::transposed));
  }
  for (int b = 0; b < a.e.B; ++b) {
    const float* v = a.qkv + static_cast<std::size_t>(b) * T * pitch + 2 * C;
    calls.push_back(lesson::cublas_batched_product(
        {T, head_size, T, a.e.H}, {scores + b * a.e.H * matrix, T, matrix}, {v, pitch, head_size},
        {a.out + static_cast<std::size_t>(b) * T * C, static_cast<int>(C), head_size}));
  }
  lesson::LibraryCall whole = calls.front();
  if (whole.launch) {
    whole.launch = [a, scores, owner, calls] {
      const std::size_t half = calls.size() / 2;
      for (std::size_t i = 0; i < half; ++i) calls[i].launch();
      start_softmax(a, scores);
      for (std::size_t i = half; i < calls.size(); ++i) calls[i].launch();
    };
  }
  run.yardstick("cuBLAS fp32, three kernels", whole);
}

}  // namespace attention
