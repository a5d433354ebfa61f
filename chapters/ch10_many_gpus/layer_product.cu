/// \file
/// The product of one device, and matrices in the memory of each.

#include "../ch06_tensor_cores/pipelined_product.h"
#include "all_reduce_arrays.h"
#include "base/algorithm.h"
#include "base/numbers.h"
#include "layer.h"
#include "lesson/device/error.h"

namespace lesson = warpwise::lesson;

namespace {

using Tiles = tensor::Tiling<128, 256, 64, 4, 64, 64, 1>;

/// Rounds two neighbours to bf16 and stores them.
struct StoreBf16 {
  bf16* c;
  int N;

  __device__ void operator()(int row, int column, float first, float second) const {
    bf16* to = c + static_cast<std::size_t>(row) * N + column;
    if (N % 2 == 0) {  // Then column + 1 is inside, and the pair aligned.
      *reinterpret_cast<__nv_bfloat162*>(to) = __floats2bfloat162_rn(first, second);
    } else {
      to[0] = __float2bfloat16_rn(first);
      if (column + 1 < N) to[1] = __float2bfloat16_rn(second);
    }
  }
};

/// y = x w^T. @param[in] x M x K, w N x K, row-major, 16 aligned, device. @param[out] y M x N,
/// row-major, device. @pre K % 8 == 0; a block for each tile, Tiles::threads threads,
/// Tiles::shared_bytes dynamic. @cost 2 M N K flops. @source chapter 6.
__global__ void __launch_bounds__(Tiles::threads, Tiles::blocks_per_sm)
    layer_product(const bf16* x, const bf16* w, bf16* y, int M, int N, int K) {
  tensor::product_by_pipeline<Tiles>(x, w, M, N, K, StoreBf16{y, N});
}

}  // namespace

bool has_product() {
  int device = 0, major = 0;
  lesson::check(cudaGetDevice(&device));
  lesson::check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
  return major >= 8;
}

void allow_product() {
  lesson::check(cudaFuncSetAttribute(layer_product, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     Tiles::shared_bytes));
}

void product(const bf16* x, const bf16* w, bf16* y, const Extents& extents, cudaStream_t stream) {
  const auto [M, N, K] = extents;
  if (M == 0 || N == 0) return;
  if (K == 0) {
    lesson::check(cudaMemsetAsync(y, 0, sizeof(bf16) * M * N, stream));
    return;
  }
  const int blocks = lesson::ceil_div(M, Tiles::block_m) * lesson::ceil_div(N, Tiles::block_n);
  layer_product<<<blocks, Tiles::threads, Tiles::shared_bytes, stream>>>(x, w, y, M, N, K);
  lesson::check(cudaGetLastError());
}

int begin_of(int d, int n, int extent, int unit) {
  return static_cast<int>(chunk_begin(d, n, extent / unit)) * unit;
}

std::vector<float> sparse_numbers(std::size_t count, int picks, std::uint32_t seed) {
  std::vector<float> numbers;
  numbers.reserve(count);
  for (int pick : lesson::uniform_indices(count, picks, seed)) {
    numbers.push_back(pick == 0 ? 1.0F : pick == 1 ? -1.0F : 0.0F);
  }
  return numbers;
}

Shared<bf16> upload(int device, const std::vector<float>& matrix, int rows, int columns, int first,
                    int end) {
  std::vector<bf16> packed;
  packed.reserve(std::size_t(rows) * (end - first));
  for (int r = 0; r < rows; ++r) {
    for (int c = first; c < end; ++c) {
      packed.push_back(__float2bfloat16(matrix[std::size_t(r) * columns + c]));
    }
  }
  auto memory = device_memory(device, sizeof(bf16) * std::max<std::size_t>(packed.size(), 1));
  if (!packed.empty()) {
    lesson::check(
        cudaMemcpy(memory.get(), packed.data(), sizeof(bf16) * packed.size(), cudaMemcpyDefault));
  }
  return std::static_pointer_cast<bf16>(memory);
}
