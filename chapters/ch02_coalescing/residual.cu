/// \file
/// The residual connection of a transformer: y = x + r.
///
/// The question: three arrays, each touched once. Does it help to tell the caches so?
///
///     build/ch02_coalescing --only residual
///
/// The rungs of `residual`, as the table lists them, and their kernels:
///
///      1  a float a thread         residual_1_float
///      2  float4                   residual_2_float4
///      3  float4, streaming        residual_3_streaming
///      4  float4, streamed stores  residual_4_streamed_stores
#include <vector>

#include "base/numbers.h"
#include "lesson/run.h"

namespace lesson = warpwise::lesson;

namespace {

constexpr int block_threads = 256;

__device__ float4 sum(float4 a, float4 b) { return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w}; }

// ---- rung 1 ----

/// One float a thread. @param[in] x, r n floats, device. @param[out] y n floats, device.
/// @pre blocks of 256 threads; a thread for each element.
/// @cost 12 bytes and one flop an element.
__global__ void residual_1_float(const float* x, const float* r, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] + r[i];
}

// ---- rung 2: 16 bytes per thread ----

/// @param[in] x, r n floats, device, on 16-byte boundaries. @param[out] y the same.
/// @pre blocks of 256 threads; a thread for each four elements, rounded up.
/// @cost as rung 1, in a quarter of the requests.
__global__ void residual_2_float4(const float* x, const float* r, float* y, int n) {
  const int pack = blockIdx.x * blockDim.x + threadIdx.x;
  const int packs = n / 4;
  if (pack < packs) {
    reinterpret_cast<float4*>(y)[pack] =
        sum(reinterpret_cast<const float4*>(x)[pack], reinterpret_cast<const float4*>(r)[pack]);
  }
  const int tail = packs * 4 + pack;
  if (tail < n) y[tail] = x[tail] + r[tail];
}

// ---- rung 3: streaming loads and stores ----

/// __ldcs and __stcs mark a line as the first to be evicted: no thread uses it again.
/// @param[in] x, r n floats, device, on 16-byte boundaries. @param[out] y the same.
/// @pre as rung 2. @cost as rung 2.
/// @source CUDA C++ Programming Guide, load and store functions with cache hints.
__global__ void residual_3_streaming(const float* x, const float* r, float* y, int n) {
  const int pack = blockIdx.x * blockDim.x + threadIdx.x;
  const int packs = n / 4;
  if (pack < packs) {
    __stcs(reinterpret_cast<float4*>(y) + pack,
           sum(__ldcs(reinterpret_cast<const float4*>(x) + pack),
               __ldcs(reinterpret_cast<const float4*>(r) + pack)));
  }
  const int tail = packs * 4 + pack;
  if (tail < n) y[tail] = x[tail] + r[tail];
}

// ---- rung 4: streaming stores alone ----

/// The loads without a hint: what is left is the hint on the stores.
/// @param[in] x, r n floats, device, on 16-byte boundaries. @param[out] y the same.
/// @pre as rung 2. @cost as rung 2.
__global__ void residual_4_streamed_stores(const float* x, const float* r, float* y, int n) {
  const int pack = blockIdx.x * blockDim.x + threadIdx.x;
  const int packs = n / 4;
  if (pack < packs) {
    __stcs(reinterpret_cast<float4*>(y) + pack,
           sum(reinterpret_cast<const float4*>(x)[pack], reinterpret_cast<const float4*>(r)[pack]));
  }
  const int tail = packs * 4 + pack;
  if (tail < n) y[tail] = x[tail] + r[tail];
}

void residual_rungs(lesson::Trial& run) {
  const int n = run.size()[0];
  const std::vector<float> x_host = lesson::uniform_numbers(n, 1);
  const std::vector<float> r_host = lesson::uniform_numbers(n, 2);
  std::vector<double> expected(n);
  for (int i = 0; i < n; ++i) expected[i] = static_cast<double>(x_host[i]) + r_host[i];
  const float* x = run.input("x", x_host);
  const float* r = run.input("r", r_host);
  // One addition, correctly rounded.
  float* y = run.output("y", std::move(expected), {.relative = 0x1p-24});
  const auto blocks_for = [n](int floats_per_thread) {
    return lesson::ceil_div(lesson::ceil_div(n, floats_per_thread), block_threads);
  };
  const lesson::Shape packs{.grid = blocks_for(4), .block = block_threads};
  run.variant("a float a thread", residual_1_float, {.grid = blocks_for(1), .block = block_threads},
              x, r, y, n);
  run.variant("float4", residual_2_float4, packs, x, r, y, n);
  run.variant("float4, streaming", residual_3_streaming, packs, x, r, y, n);
  run.variant("float4, streamed stores", residual_4_streamed_stores, packs, x, r, y, n);
}

}  // namespace

void residual_ladder(lesson::Run& run) {
  run.ladder({.name = "residual",
              .title = "y = x + r, float32",
              .full = {1 << 26},
              .small = {1 << 17},
              .awkward = {{1}, {3}, {255}, {1027}},
              .needs =
                  [](const lesson::Size& size) {
                    const auto elements = static_cast<double>(size.elements());
                    return lesson::Needs{.bytes = 12 * elements, .flops = elements};
                  }},
             residual_rungs);
}
