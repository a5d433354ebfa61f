/// \file
/// two_phases: shares of a total, which no thread can know before all have added their part.
///
/// The question: a barrier for the whole grid is the end of a kernel, or `grid.sync()`. Which one
/// is cheaper?
///
///     build/ch09_streams_and_graphs --only two_phases
#include <cooperative_groups.h>
#include <cuda_runtime_api.h>

#include <numeric>
#include <vector>

#include "base/algorithm.h"
#include "lesson/order_table.h"
#include "streams.h"

namespace lesson = warpwise::lesson;

namespace {

constexpr int threads = 256;

/// The sum of a block's values, in thread 0. @pre 256 threads, all of them; shared floats for each.
__device__ float block_total(float value, float* shared) {
  shared[threadIdx.x] = value;
  for (int half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) shared[threadIdx.x] += shared[threadIdx.x + half];
  }
  return shared[0];
}

/// Adds this block's part of x to sums[blockIdx.x].
__device__ void add_part(const float* x, float* sums, int n) {
  __shared__ float shared[threads];
  float sum = 0;
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads) sum += x[i];
  sum = block_total(sum, shared);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

/// y = x / total, where the blocks' sums are there.
__device__ void divide_part(const float* x, const float* sums, float* y, int n) {
  __shared__ float shared[threads];
  float own = 0;
  for (int block = threadIdx.x; block < gridDim.x; block += threads) own += sums[block];
  block_total(own, shared);
  __syncthreads();  // The total is in shared[0] once thread 0 has added its last pair.
  const float total = shared[0];
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads) {
    y[i] = x[i] / total;
  }
}

/// Phase 1. @param[in] x n floats. @param[out] sums one float per block. @pre blocks of 256.
/// @cost 4 n bytes, n flops.
__global__ void two_phases_1_sum(const float* x, float* sums, int n) { add_part(x, sums, n); }

/// Phase 2. @param sums of phase 1, launched with as many blocks. @cost 8 n bytes, n flops.
__global__ void two_phases_2_divide(const float* x, const float* sums, float* y, int n) {
  divide_part(x, sums, y, n);
}

/// Both. @pre a cooperative launch: all blocks have to be resident, or they would wait for blocks
/// that cannot begin. @source Programming Guide, Cooperative Groups.
__global__ void two_phases_grid_sync(const float* x, float* sums, float* y, int n) {
  add_part(x, sums, n);
  cooperative_groups::this_grid().sync();
  divide_part(x, sums, y, n);
}

int blocks_for(int n) {
  int per_sm = 0;
  int sms = 0;
  lesson::check(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, two_phases_grid_sync, threads, 0));
  lesson::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  return std::min(lesson::ceil_div(n, threads), per_sm * sms);
}

void two_phases_rungs(lesson::Trial& run) {
  const int n = run.size()[0];
  std::vector<float> host(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<float>(i % 7 + 1);
  const double total = std::accumulate(host.begin(), host.end(), 0.0);
  std::vector<double> expected(n);
  for (int i = 0; i < n; ++i) expected[i] = host[i] / total;
  const float* x = run.input("x", host);
  float* y = run.output("y", std::move(expected), {.relative = 1e-5});
  const int blocks = blocks_for(n);
  const HostFloats sums = device_floats(blocks);
  run.work("two launches", [=] {
    two_phases_1_sum<<<blocks, threads>>>(x, sums.get(), n);
    two_phases_2_divide<<<blocks, threads>>>(x, sums.get(), y, n);
    lesson::check(cudaGetLastError());
  });
  run.work("one launch, grid.sync()", [=] {
    const float* in = x;
    float* parts = sums.get();
    float* out = y;
    int count = n;
    void* arguments[] = {&in, &parts, &out, &count};
    lesson::check(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(two_phases_grid_sync),
                                              blocks, threads, arguments, 0, nullptr));
  });
}

lesson::Ladder ladder(const char* name, const char* title, int full) {
  return {.name = name,
          .title = title,
          .full = {full},
          .small = {1 << 12},
          .awkward = {{1}, {255}, {1009}},
          .needs =
              [](const lesson::Size& size) {
                return lesson::Needs{.bytes = 8.0 * size[0], .flops = 2.0 * size[0]};
              },
          .limit = "two launches",
          .counts_operations = true};
}

}  // namespace

void two_phases_ladders(lesson::Run& run) {
  run.ladder(ladder("two_phases", "y = x / sum of x, a small array", 1 << 15), two_phases_rungs);
  lesson::order_table(run, "two_phases", {"launch_calls", "longest_chain"},
                      {"launches by the host", "longest chain"});
  run.ladder(ladder("large_two_phases", "the same, 16 million floats", 1 << 24), two_phases_rungs);
}
