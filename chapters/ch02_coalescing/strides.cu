/// \file
/// Offset and stride, swept; loads and stores separately.
///
/// The question: how fast does a request split up when its words do not begin on a sector's
/// boundary, or are not neighbours? And does it matter which side, reading or writing, it happens
/// on?
///
///     build/ch02_coalescing --only offset
///     build/ch02_coalescing --only stride
#include <vector>

#include "base/numbers.h"
#include "lesson/run.h"

namespace lesson = warpwise::lesson;

namespace {

constexpr int warp_size = 32;
constexpr int block_threads = 256;

// ---- offset ----

/// y[i] = x[i + offset]. @param[in] x n + offset floats. @param[out] y n floats.
/// @pre blocks of 256 threads; a thread for each element of y.
/// @cost 8 bytes an element; one sector more a load unless offset is a multiple of 8.
__global__ void load_with_offset(const float* x, float* y, int n, int offset) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i + offset];
}

/// y[i + offset] = x[i], around the end. @param[in] x, @param[out] y n floats.
/// @pre offset < n; blocks of 256 threads; a thread for each element.
/// @cost 8 bytes an element; one sector more a store unless offset is a multiple of 8.
__global__ void store_with_offset(const float* x, float* y, int n, int offset) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int to = i + offset;
  y[to < n ? to : to - n] = x[i];
}

void offset_points(lesson::Trial& run) {
  const int n = run.size()[0];
  const int offset = run.value();
  const std::vector<float> host = lesson::uniform_numbers(static_cast<std::size_t>(n) + offset);
  const float* x = run.input("x", host);
  const lesson::Shape shape{.grid = lesson::ceil_div(n, block_threads), .block = block_threads};
  float* y = run.output("y", {host.begin() + offset, host.end()}, {});
  run.variant("loads", load_with_offset, shape, x, y, n, offset);

  std::vector<double> rotated(n);
  for (int i = 0; i < n; ++i) rotated[(i + offset) % n] = host[i];
  y = run.output("y", std::move(rotated), {});
  run.variant("stores", store_with_offset, shape, x, y, n, offset);
}

// ---- stride ----

/// The array as `stride` passes of `pass` elements each; element i is in pass i / pass. In one
/// pass neighbouring threads are `stride` words apart, and by the time that the next pass takes
/// the words between, the caches have long lost them.
__device__ int strided(int i, int pass, int stride) { return i % pass * stride + i / pass; }

/// y[i] = x[strided place of i]. @param[in] x pass * stride floats. @param[out] y n floats.
/// @param pass n / stride, rounded up to whole warps.
/// @pre blocks of 256 threads; a thread for each element of y.
/// @cost 8 bytes an element are used; min(4 * stride, 32) sectors a load are moved.
__global__ void load_with_stride(const float* x, float* y, int n, int pass, int stride) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[strided(i, pass, stride)];
}

/// y[strided place of i] = x[i]. @param[in] x pass * stride floats. @param[out] y n floats.
/// @param pass as above.
/// @pre blocks of 256 threads; pass * stride threads or more.
/// @cost 8 bytes an element are used; min(4 * stride, 32) sectors a store are moved.
__global__ void store_with_stride(const float* x, float* y, int n, int pass, int stride) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pass * stride) return;
  const int to = strided(i, pass, stride);
  if (to < n) y[to] = x[i];
}

void stride_points(lesson::Trial& run) {
  const int n = run.size()[0];
  const int stride = run.value();
  const int pass = lesson::ceil_div(lesson::ceil_div(n, stride), warp_size) * warp_size;
  const int reach = pass * stride;
  const std::vector<float> host = lesson::uniform_numbers(reach);
  const float* x = run.input("x", host);
  const lesson::Shape shape{.grid = lesson::ceil_div(reach, block_threads), .block = block_threads};

  std::vector<double> gathered(n), scattered(n);
  for (int i = 0; i < reach; ++i) {
    const int there = i % pass * stride + i / pass;
    if (i < n) gathered[i] = host[there];
    if (there < n) scattered[there] = host[i];
  }
  float* y = run.output("y", std::move(gathered), {});
  run.variant("loads", load_with_stride, shape, x, y, n, pass, stride);
  y = run.output("y", std::move(scattered), {});
  run.variant("stores", store_with_stride, shape, x, y, n, pass, stride);
}

lesson::Needs copied(const lesson::Size& size) {
  return {.bytes = 8.0 * static_cast<double>(size.elements())};
}

}  // namespace

void stride_sweeps(lesson::Run& run) {
  using lesson::Shown;
  run.sweep({.parameter = "offset, floats",
             .values = lesson::from_to(0, 31),
             .shows = {Shown::load_sectors, Shown::store_sectors}},
            {.name = "offset",
             .title = "y = x with one side shifted, float32",
             .full = {1 << 24},
             .small = {1 << 12},
             .awkward = {{32}, {33}, {1000}},
             .needs = copied},
            offset_points);
  run.sweep({.parameter = "stride, floats",
             .values = lesson::from_to(1, 32),
             .shows = {Shown::load_sectors, Shown::store_sectors}},
            {.name = "stride",
             .title = "y = x with one side in strides, float32",
             .full = {1 << 25},
             .small = {1 << 15},
             .awkward = {{1}, {33}, {1000}},
             .needs = copied},
            stride_points);
}
