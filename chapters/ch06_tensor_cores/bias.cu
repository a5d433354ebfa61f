/// \file
/// A bias added by a kernel of its own, and in the product's epilogue.
///
/// The question: the product has every element of C in a register when it ends. What does it cost
/// to store it, read it again, add one number and store it again?
///
///     build/ch06_tensor_cores --only bias
#include <tuple>
#include <vector>

#include "base/function.h"
#include "pipelined_product.h"
#include "product_problem.h"

namespace lesson = warpwise::lesson;

namespace tensor {
namespace {

using Tiles = Tiling<128, 256, 64, 4, 64, 64, 1>;

// ---- rung 1: a kernel of its own ----

/// c[row][column] += bias[column].
/// @param[in,out] c M x N, row-major, device. @param[in] bias N, device.
/// @pre any one-dimensional launch: a block takes every gridDim.x-th row.
/// @cost 8 bytes and 1 flop for each element of c.
/// @source the article's second way, which adds after cuBLAS.
__global__ void add_bias(float* c, const float* bias, int M, int N) {
  for (int row = blockIdx.x; row < M; row += gridDim.x) {
    for (int column = threadIdx.x; column < N; column += blockDim.x) {
      c[static_cast<size_t>(row) * N + column] += bias[column];
    }
  }
}

// ---- rung 2: in the epilogue ----

/// Adds between the accumulator and memory: N numbers are read, nothing else is new.
struct StoreWithBias {
  StoreC store;
  const float* bias;

  __device__ void operator()(int row, int column, float first, float second) const {
    const float next = column + 1 < store.N ? bias[column + 1] : 0.0F;
    store(row, column, first + bias[column], second + next);
  }
};

/// C = A * B^T + bias. \copydetails product_by_pipeline
/// @param[out] c M x N, row-major, device. @param[in] bias N, device.
__global__ void __launch_bounds__(Tiles::threads, Tiles::blocks_per_sm)
    product_with_bias(const bf16* a, const bf16* b, const float* bias, float* c, int M, int N,
                      int K) {
  product_by_pipeline<Tiles>(a, b, M, N, K, StoreWithBias{{c, N}, bias});
}

// ---- launchers ----

lesson::Shape product_shape(const Product& p) {
  return {.grid = ceil_div(p.M, Tiles::block_m) * ceil_div(p.N, Tiles::block_n),
          .block = Tiles::threads,
          .shared_bytes = Tiles::shared_bytes};
}

/// Two launches as one piece of work.
std::function<void()> both(const std::function<void()>& first,
                           const std::function<void()>& second) {
  return [=] {
    first();
    second();
  };
}

void bias_rungs(lesson::Trial& run) {
  if (!has_bf16_mma()) return run.skip("bias", needs_sm_80);
  // Multiples of 1/128 again: the sum stays exact.
  const int N = run.size()[1];
  const std::vector<float> host_bias = product_input(1, N, N, 3);
  const float* bias = run.input("bias", host_bias);
  const Product p(run, host_bias);

  const auto product =
      lesson::bind_launch(reinterpret_cast<const void*>(product_pipelined<Tiles>), product_shape(p),
                          std::tuple(p.a_bf16, p.b_bf16, p.c, p.M, p.N, p.depth));
  const auto add =
      lesson::bind_launch(reinterpret_cast<const void*>(add_bias), {.grid = p.M, .block = 256},
                          std::tuple(p.c, bias, p.M, p.N));
  run.work("product, then bias", both(product, add));
  run.variant("bias in the epilogue", product_with_bias, product_shape(p), p.a_bf16, p.b_bf16, bias,
              p.c, p.M, p.N, p.depth);
  lesson::LibraryCall library =
      lesson::cublas_product(lesson::CublasPrecision::bf16, p.M, p.N, p.depth, p.a_bf16, p.b_bf16,
                             p.c, lesson::SecondMatrix::transposed);
  if (library.launch) library.launch = both(library.launch, add);
  run.yardstick("cuBLAS bf16, then bias", library);
}

}  // namespace
}  // namespace tensor

void bias_ladder(lesson::Run& run) {
  run.ladder({.name = "bias",
              .title = "C = A * B^T + bias, M x N x K: GPT-2's first feed-forward layer",
              .full = {8192, 3072, 768},
              .small = {256, 512, 96},
              .awkward = {{1, 1, 1}, {130, 67, 100}, {33, 300, 40}},
              .needs = [](const lesson::Size& size) { return tensor::product_needs(size, 2); },
              .limit = "cuBLAS bf16, then bias"},
             tensor::bias_rungs);
}
