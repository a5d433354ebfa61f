/// \file
/// A product of matrices by tiles, C = A B, and the roofline.
///
/// The question: M = N = K = 4096 needs 137 GFLOP and reads and writes 200 MB. Which of the two is
/// the limit, and why does the obvious kernel reach neither?
///
///     build/ch03_shared_memory_banks --only product
///     build/ch03_shared_memory_banks --only roofline
///
/// The rungs of `product`, as the table lists them, and their kernels:
///
///      1  naive        product_1_naive
///      2  tiles of 16  product_2_tiles<16>
///      3  tiles of 32  product_2_tiles<32>
///      4  cuBLAS fp32  the library
#include <string>
#include <vector>

#include "base/algorithm.h"
#include "base/numbers.h"
#include "lesson/compare/product_reference.h"
#include "lesson/results/results.h"
#include "lesson/run.h"

namespace lesson = warpwise::lesson;

namespace {

// ---- rung 1: each thread reads its row and its column ----

/// @param[in] a M * K. @param[in] b K * N. @param[out] c M * N. Row-major, device.
/// @pre blocks of (16, 16); a thread for each element of c.
/// @cost 2 K flops and 8 K bytes asked for an element: a quarter of a flop a byte.
__global__ void product_1_naive(const float* a, const float* b, float* c, int M, int N, int K) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= M || column >= N) return;
  float sum = 0;
  for (int k = 0; k < K; ++k) {
    sum += a[static_cast<size_t>(row) * K + k] * b[static_cast<size_t>(k) * N + column];
  }
  c[static_cast<size_t>(row) * N + column] = sum;
}

// ---- rungs 2 and 3, product_2_tiles: tiles in shared memory ----

/// A block computes a tile of C. It walks along K in steps of a tile, brings a tile of A and one of
/// B into shared memory, and uses each element of them `tile` times.
/// @tparam tile 16 or 32.
/// @param[in] a M * K. @param[in] b K * N. @param[out] c M * N. Row-major, device.
/// @pre blocks of (tile, tile); a thread for each element of c, rounded up to whole tiles.
/// @cost 2 K flops and 8 K / tile bytes asked for an element: tile / 4 flops a byte.
/// @source CUDA C++ Programming Guide, shared memory.
template <int tile>
__global__ void product_2_tiles(const float* a, const float* b, float* c, int M, int N, int K) {
  __shared__ float a_tile[tile][tile];
  __shared__ float b_tile[tile][tile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int column = blockIdx.x * tile + x;
  const int row = blockIdx.y * tile + y;
  float sum = 0;
  for (int begin = 0; begin < K; begin += tile) {
    // Elements outside are zero and add nothing.
    const bool in_a = row < M && begin + x < K;
    const bool in_b = begin + y < K && column < N;
    a_tile[y][x] = in_a ? a[static_cast<size_t>(row) * K + begin + x] : 0.0F;
    b_tile[y][x] = in_b ? b[static_cast<size_t>(begin + y) * N + column] : 0.0F;
    // Both tiles are complete before any thread multiplies.
    __syncthreads();
#pragma unroll
    for (int k = 0; k < tile; ++k) sum += a_tile[y][k] * b_tile[k][x];
    // All threads have used them before any thread loads the next.
    __syncthreads();
  }
  if (row < M && column < N) c[static_cast<size_t>(row) * N + column] = sum;
}

// ---- launchers ----

template <int tile>
dim3 tiles(int M, int N) {
  return dim3(lesson::ceil_div(N, tile), lesson::ceil_div(M, tile));
}

void product_rungs(lesson::Trial& run) {
  const int M = run.size()[0], N = run.size()[1], K = run.size()[2];
  const std::vector<float> a_host = lesson::uniform_numbers(static_cast<std::size_t>(M) * K, 1);
  const std::vector<float> b_host = lesson::uniform_numbers(static_cast<std::size_t>(K) * N, 2);
  const float* a = run.input("a", a_host);
  const float* b = run.input("b", b_host);
  // K products below 1, each sum rounded: the error grows with K.
  float* c = run.output("c", lesson::product_reference(a_host, b_host, M, N, K),
                        {.absolute = 0x1p-22 * K}, N);
  run.variant("naive", product_1_naive, {.grid = tiles<16>(M, N), .block = {16, 16}}, a, b, c, M, N,
              K);
  run.variant("tiles of 16", product_2_tiles<16>, {.grid = tiles<16>(M, N), .block = {16, 16}}, a,
              b, c, M, N, K);
  run.variant("tiles of 32", product_2_tiles<32>, {.grid = tiles<32>(M, N), .block = {32, 32}}, a,
              b, c, M, N, K);
  run.yardstick("cuBLAS fp32",
                lesson::cublas_product(lesson::CublasPrecision::fp32, M, N, K, a, b, c));
}

// ---- the roofline ----

/// Flops for each byte that a kernel asked of global memory, and the rate that the memory would
/// allow if every one of these bytes came from it. Reuse in the L1 and L2 caches puts a kernel
/// above that.
lesson::Demonstration roofline(const lesson::LadderResult& product, double memory_gbps) {
  lesson::Demonstration table{
      .title = "flops for each byte asked of global memory",
      .columns = {"kernel", "bytes asked, MB", "flop/byte", "memory allows, TFLOP/s",
                  "peak, TFLOP/s"},
      .rows = {},
      .note =
          "Bytes: 32 for each sector counted. Left of the ridge (peak over bandwidth) the memory "
          "is the limit unless caches help; right of it the arithmetic."};
  if (!product.counted_size) return table;
  const lesson::Size& size = *product.counted_size;
  const double flops = 2.0 * size[0] * size[1] * size[2];
  const auto row = [&](const std::string& name, double bytes) {
    const double intensity = flops / bytes;
    table.rows.push_back({name, lesson::decimal(bytes / 1e6, 1), lesson::decimal(intensity, 2),
                          lesson::decimal(intensity * memory_gbps / 1e3, 1),
                          lesson::decimal(product.peak_tflops, 1)});
  };
  for (const lesson::Rung& rung : product.rungs) {
    const lesson::Counts& counts = rung.counts;
    if (counts.empty()) continue;
    row(rung.name, 32 * (counts.value(lesson::counter::load_sectors) +
                         counts.value(lesson::counter::store_sectors)));
  }
  row("each element once",
      4.0 * (1.0 * size[0] * size[2] + 1.0 * size[2] * size[1] + 1.0 * size[0] * size[1]));
  return table;
}

}  // namespace

void product_ladder(lesson::Run& run) {
  run.ladder({.name = "product",
              .title = "C = A B, float32: M x N x K",
              .full = {4096, 4096, 4096},
              .small = {128, 128, 128},
              .awkward = {{1, 1, 1}, {17, 33, 5}, {31, 16, 65}},
              .needs =
                  [](const lesson::Size& size) {
                    const double M = size[0], N = size[1], K = size[2];
                    return lesson::Needs{.bytes = 4 * (M * K + K * N + M * N),
                                         .flops = 2 * M * N * K};
                  },
              .limit = "cuBLAS fp32"},
             product_rungs);
  const lesson::LadderResult* product = run.result("product");
  if (product == nullptr) return;
  run.table("roofline", [&] { return roofline(*product, run.limits().memory_gbps); });
}
