#pragma once
#include <cuda_bf16.h>

#include "first_layers.h"

/// \file
/// The two ends of a vision transformer: from pixels to words, and from the class token to classes.
/// T is float; double where they are the reference of a model that is too large for the host.
namespace gpt {

/// How images are cut: `side` x `side` patches of `patch` x `patch` pixels, 3 channels or 1.
struct Patches {
  int B, side, patch, channels = 3;

  /// Words of an image: the class token and the patches.
  __host__ __device__ int T() const { return side * side + 1; }
  /// Numbers of a patch.
  __host__ __device__ int K() const { return channels * patch * patch; }
  __host__ __device__ int width() const { return side * patch; }
  std::size_t image_numbers() const { return std::size_t(channels) * B * width() * width(); }

  /// Number k of word t of image b: red line by line, then green, then blue. The class token has no
  /// pixels: zeros.
  //! [pixel]
  __device__ float pixel(const float* images, int row, int k) const {
    const int b = row / T(), j = row % T() - 1;
    if (j < 0) return 0;
    const int channel = k / (patch * patch), y = k / patch % patch, x = k % patch;
    const std::size_t line = (std::size_t(channels) * b + channel) * width() + j / side * patch + y;
    return images[line * width() + j % side * patch + x];
  }
  //! [pixel]
};

/// x = patches * W^T + bias + positions, and the class token plus its position in the first row of
/// each image. A product by 16 x 16 tiles that takes its rows from the image: no row is stored.
/// @param[in] images (B, 3, width, width), w (C, K), bias C, first C: the class token, positions
/// (T, C), device. @param[out] x (B T, C), device.
/// @pre blocks of (16, 16) threads, grid (ceil(C / 16), ceil(B T / 16)).
/// @cost 2 B T C K flops; each pixel is read by C / 16 blocks.
/// @source Dosovitskiy and others, "An Image is Worth 16x16 Words", equation 1.
template <class T>
__global__ void embed_patches(const float* images, const float* w, const float* bias,
                              const float* first, const float* positions, T* x, Patches p, int C) {
  __shared__ float pixels[tile][tile];
  // One column more: a warp reads this tile down its columns.
  __shared__ float weights[tile][tile + 1];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * tile + ty, column = blockIdx.x * tile + tx;
  const int w_row = blockIdx.x * tile + ty, rows = p.B * p.T();
  T sum = 0;
  for (int k = 0; k < p.K(); k += tile) {
    const bool inside = k + tx < p.K();
    pixels[ty][tx] = row < rows && inside ? p.pixel(images, row, k + tx) : 0.0F;
    weights[ty][tx] = w_row < C && inside ? w[at(w_row, p.K()) + k + tx] : 0.0F;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < tile; ++i) sum += T(pixels[ty][i]) * weights[tx][i];
    // All threads have read the tiles before the next iteration overwrites them.
    __syncthreads();
  }
  if (row >= rows || column >= C) return;
  const int t = row % p.T();
  const float own = t == 0 ? first[column] : bias[column];
  x[at(row, C) + column] = sum + own + positions[at(t, C) + column];
}

/// Scores of the classes, from each image's class token.
/// @tparam In of the normalised rows: T, or bf16.
/// @param[in] a (B T, C): normalised rows, w (classes, C), bias classes, device.
/// @param[out] scores (B, classes), device.
/// @pre blocks of (32, 4) threads, a warp per class: grid (ceil(classes / 4), B).
/// @cost 2 B C classes flops; one row of T is read.
template <class In, class T>
__global__ void class_head(const In* a, const float* w, const float* bias, T* scores,
                           int words_of_image, int C, int classes) {
  const int label = blockIdx.x * blockDim.y + threadIdx.y;
  if (label >= classes) return;
  const In* row = a + at(blockIdx.y * words_of_image, C);
  T sum = 0;
  for (int c = threadIdx.x; c < C; c += 32) sum += T(row[c]) * w[at(label, C) + c];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xFFFFFFFF, sum, d);
  if (threadIdx.x == 0) scores[at(blockIdx.y, classes) + label] = sum + bias[label];
}

/// The patches of images as rows of a product, rounded to bf16; a class token's row is zeros.
/// @param[in] images (B, channels, width, width), device. @param[out] rows (B T, K), device.
/// @pre a block per row, any number of threads. @cost 6 bytes per number.
__global__ inline void patch_rows(const float* images, __nv_bfloat16* rows, Patches p) {
  for (int k = threadIdx.x; k < p.K(); k += blockDim.x) {
    rows[at(blockIdx.x, p.K()) + k] = __float2bfloat16(p.pixel(images, blockIdx.x, k));
  }
}

/// x = y + positions, and the class token plus its position in the first row of each image.
/// @param[in] y (B T, C), first C, positions (T, C), device. @param[out] x (B T, C), device.
/// @pre a block per row, any number of threads. @cost 8 bytes per number, and the positions.
__global__ inline void place_words(const float* y, const float* first, const float* positions,
                                   float* x, int words_of_image, int C) {
  const int t = blockIdx.x % words_of_image;
  for (int c = threadIdx.x; c < C; c += blockDim.x) {
    const float own = t == 0 ? first[c] : y[at(blockIdx.x, C) + c];
    x[at(blockIdx.x, C) + c] = own + positions[at(t, C) + c];
  }
}

}  // namespace gpt
