/// \file
/// Two operations in which a thread needs what another thread has loaded.
///
/// The question: a barrier makes every thread of a block wait. Where must it be, and is shared
/// memory faster than simply loading again?
///
///     build/ch03_shared_memory_banks --only reverse
///     build/ch03_shared_memory_banks --only stencil
///
/// The rungs of `reverse`, as the table lists them, and their kernels:
///
///      1  global, falling  reverse_1_global
///      2  shared           reverse_2_shared
///      3  dynamic shared   reverse_3_dynamic
///      4  float4, falling  reverse_4_float4
///
/// The rungs of `stencil`, as the table lists them, and their kernels:
///
///      1  seven loads     stencil_1_global
///      2  tile with halo  stencil_2_halo
///      3  longer tile     stencil_3_longer_tile
///      4  float4          stencil_4_float4
#include <vector>

#include "base/algorithm.h"
#include "base/numbers.h"
#include "lesson/run.h"

namespace lesson = warpwise::lesson;

namespace {

constexpr int block_threads = 256;

// ---- reverse: segments of 256 floats, each turned around ----

/// Where element `i` of the array goes when its segment is turned around; the last segment may be
/// shorter.
__host__ __device__ int mirrored(int i, int n) {
  const int begin = i / block_threads * block_threads;
  const int end = begin + block_threads < n ? begin + block_threads : n;
  return begin + end - 1 - i;
}

/// Without shared memory: the lanes of a warp read neighbouring words in falling order, which are
/// the same sectors as in rising order.
/// @param[in] x n floats, device. @param[out] y n floats, device.
/// @pre blocks of 256 threads; a thread for each element.
/// @cost 8 bytes an element.
__global__ void reverse_1_global(const float* x, float* y, int n) {
  const int i = blockIdx.x * block_threads + threadIdx.x;
  if (i < n) y[i] = x[mirrored(i, n)];
}

/// Through shared memory: each thread brings one float and takes one that another thread brought,
/// so there is a barrier between. All threads reach it, also those past the end of the array.
/// @param[in] x n floats, device. @param[out] y n floats, device.
/// @pre blocks of 256 threads; a thread for each element.
/// @cost 8 bytes an element, and two accesses to shared memory.
/// @source CUDA C++ Programming Guide, __syncthreads().
__global__ void reverse_2_shared(const float* x, float* y, int n) {
  __shared__ float segment[block_threads];
  const int i = blockIdx.x * block_threads + threadIdx.x;
  if (i < n) segment[threadIdx.x] = x[i];
  // A thread reads what another one wrote.
  __syncthreads();
  if (i < n) y[i] = segment[mirrored(i, n) % block_threads];
}

/// The same with shared memory whose size the launch decides.
/// @param[in] x n floats, device. @param[out] y n floats, device.
/// @pre blocks of 256 threads with as many floats of dynamic shared memory; a thread for each
/// element.
/// @cost as above.
__global__ void reverse_3_dynamic(const float* x, float* y, int n) {
  extern __shared__ float segment[];
  const int i = blockIdx.x * block_threads + threadIdx.x;
  if (i < n) segment[threadIdx.x] = x[i];
  // A thread reads what another one wrote.
  __syncthreads();
  if (i < n) y[i] = segment[mirrored(i, n) % block_threads];
}

/// Without shared memory again, 16 bytes at a time: a thread reads a pack, turns it around in its
/// registers, and writes it to the mirrored place.
/// @param[in] x n floats, device, on a 16-byte boundary. @param[out] y the same.
/// @pre n % 4 == 0; blocks of 256 threads; a thread for each four elements.
/// @cost as reverse_1_global, in a quarter of the requests.
__global__ void reverse_4_float4(const float* x, float* y, int n) {
  const int i = (blockIdx.x * block_threads + threadIdx.x) * 4;
  if (i >= n) return;
  // The mirror of the pack's last element is where the mirrored pack begins.
  const float4 in = *reinterpret_cast<const float4*>(x + mirrored(i + 3, n));
  *reinterpret_cast<float4*>(y + i) = {in.w, in.z, in.y, in.x};
}

void reverse_rungs(lesson::Trial& run) {
  const int n = run.size()[0];
  const std::vector<float> host = lesson::uniform_numbers(n);
  std::vector<double> expected(n);
  for (int i = 0; i < n; ++i) expected[i] = host[mirrored(i, n)];
  const float* x = run.input("x", host);
  float* y = run.output("y", std::move(expected), {});
  const lesson::Shape each{.grid = lesson::ceil_div(n, block_threads), .block = block_threads};
  run.variant("global, falling", reverse_1_global, each, x, y, n);
  run.variant("shared", reverse_2_shared, each, x, y, n);
  run.variant(
      "dynamic shared", reverse_3_dynamic,
      {.grid = each.grid, .block = each.block, .shared_bytes = block_threads * sizeof(float)}, x, y,
      n);
  if (n % 4 == 0) {
    run.variant("float4, falling", reverse_4_float4,
                {.grid = lesson::ceil_div(n, 4 * block_threads), .block = block_threads}, x, y, n);
  } else {
    run.skip("float4, falling", "n must be a multiple of 4");
  }
}

// ---- stencil: the sum of the seven elements around each one ----

constexpr int radius = 3;

/// x[i], or 0 outside the array.
__device__ float at(const float* x, int i, int n) { return i >= 0 && i < n ? x[i] : 0.0F; }

/// Every thread loads its seven neighbours.
/// @param[in] x n floats, device. @param[out] y n floats, device; outside of x there are zeros.
/// @pre blocks of 256 threads; a thread for each element.
/// @cost 8 bytes and 6 flops an element; 7 requests, of which 6 find the L1 cache filled.
__global__ void stencil_1_global(const float* x, float* y, int n) {
  const int i = blockIdx.x * block_threads + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
#pragma unroll
  for (int d = -radius; d <= radius; ++d) sum += at(x, i + d, n);
  y[i] = sum;
}

/// The block loads its 256 elements and three more on each side, once.
/// @param[in] x n floats, device. @param[out] y n floats, device; outside of x there are zeros.
/// @pre blocks of 256 threads; a thread for each element.
/// @cost 8 bytes and 6 flops an element; 1 request and a rest for the halo, 7 reads of shared
/// memory.
/// @source CUDA C++ Best Practices Guide, shared memory.
__global__ void stencil_2_halo(const float* x, float* y, int n) {
  __shared__ float tile[block_threads + 2 * radius];
  const int begin = blockIdx.x * block_threads - radius;
  for (int t = threadIdx.x; t < block_threads + 2 * radius; t += block_threads) {
    tile[t] = at(x, begin + t, n);
  }
  // The tile is complete before any thread adds.
  __syncthreads();
  const int i = blockIdx.x * block_threads + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
#pragma unroll
  for (int d = 0; d <= 2 * radius; ++d) sum += tile[threadIdx.x + d];
  y[i] = sum;
}

/// Four elements a thread, one block apart: more loads in flight before the one barrier, and the
/// halo is shared by four times as many elements.
/// @param[in] x n floats, device. @param[out] y n floats, device; outside of x there are zeros.
/// @pre blocks of 256 threads; a block for each 1024 elements, rounded up.
/// @cost as above, with a quarter of the halo.
__global__ void stencil_3_longer_tile(const float* x, float* y, int n) {
  constexpr int length = 4 * block_threads;
  __shared__ float tile[length + 2 * radius];
  const int begin = blockIdx.x * length - radius;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int t = k * block_threads + threadIdx.x;
    tile[t] = at(x, begin + t, n);
  }
  if (threadIdx.x < 2 * radius) {
    tile[length + threadIdx.x] = at(x, begin + length + threadIdx.x, n);
  }
  // The tile is complete before any thread adds.
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int t = k * block_threads + threadIdx.x;
    const int i = blockIdx.x * length + t;
    float sum = 0;
#pragma unroll
    for (int d = 0; d <= 2 * radius; ++d) sum += tile[t + d];
    if (i < n) y[i] = sum;
  }
}

/// The pack that begins at i, zeros outside the array. @pre i % 4 == 0 and n % 4 == 0
__device__ float4 pack_at(const float* x, int i, int n) {
  return i >= 0 && i < n ? *reinterpret_cast<const float4*>(x + i) : float4{};
}

/// Four neighbouring sums a thread, without shared memory: the pack itself, the one before and the
/// one after hold all ten elements. The L1 cache has two of the three already.
/// @param[in] x n floats, device, on a 16-byte boundary. @param[out] y the same; outside of x there
/// are zeros.
/// @pre n % 4 == 0; blocks of 256 threads; a thread for each four elements.
/// @cost 8 bytes and 6 flops an element; 3 requests for 4 elements.
__global__ void stencil_4_float4(const float* x, float* y, int n) {
  const int i = (blockIdx.x * block_threads + threadIdx.x) * 4;
  if (i >= n) return;
  const float4 before = pack_at(x, i - 4, n), self = pack_at(x, i, n), after = pack_at(x, i + 4, n);
  const float near[] = {before.y, before.z, before.w, self.x,  self.y,
                        self.z,   self.w,   after.x,  after.y, after.z};
  float sum[4] = {};
#pragma unroll
  for (int e = 0; e < 4; ++e) {
#pragma unroll
    for (int d = 0; d <= 2 * radius; ++d) sum[e] += near[e + d];
  }
  *reinterpret_cast<float4*>(y + i) = {sum[0], sum[1], sum[2], sum[3]};
}

void stencil_rungs(lesson::Trial& run) {
  const int n = run.size()[0];
  const std::vector<float> host = lesson::uniform_numbers(n);
  std::vector<double> expected(n);
  for (int i = 0; i < n; ++i) {
    for (int j = std::max(i - radius, 0); j <= std::min(i + radius, n - 1); ++j) {
      expected[i] += host[j];
    }
  }
  const float* x = run.input("x", host);
  // Six additions of numbers below 7.
  float* y = run.output("y", std::move(expected), {.absolute = 3e-6});
  const auto blocks_for = [n](int elements) { return lesson::ceil_div(n, elements); };
  const lesson::Shape each{.grid = blocks_for(block_threads), .block = block_threads};
  run.variant("seven loads", stencil_1_global, each, x, y, n);
  run.variant("tile with halo", stencil_2_halo, each, x, y, n);
  run.variant("longer tile", stencil_3_longer_tile,
              {.grid = blocks_for(4 * block_threads), .block = block_threads}, x, y, n);
  if (n % 4 == 0) {
    run.variant("float4", stencil_4_float4,
                {.grid = blocks_for(4 * block_threads), .block = block_threads}, x, y, n);
  } else {
    run.skip("float4", "n must be a multiple of 4");
  }
}

lesson::Needs read_and_written(const lesson::Size& size) {
  return {.bytes = 8.0 * static_cast<double>(size.elements())};
}

}  // namespace

void barrier_ladders(lesson::Run& run) {
  const std::vector<lesson::Size> awkward{{1}, {31}, {255}, {257}, {1000}, {1025}, {4100}};
  run.ladder({.name = "reverse",
              .title = "segments of 256 floats turned around",
              .full = {1 << 26},
              .small = {1 << 16},
              .awkward = awkward,
              .needs = read_and_written},
             reverse_rungs);
  run.ladder({.name = "stencil",
              .title = "sum of seven neighbours, float32",
              .full = {1 << 26},
              .small = {1 << 16},
              .awkward = awkward,
              .needs = read_and_written},
             stencil_rungs);
}
