#include <cooperative_groups.h>

#include <cassert>

#include "answers.h"

__constant__ int constant_table[16];
__device__ int device_counter = 5;
__managed__ int managed_counter = 7;

namespace {

__global__ void fill_kernel(int* x, int value, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = value + constant_table[0];
}

__global__ void add_one_kernel(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += 1;
  if (i == 0) device_counter += 1, managed_counter += 1;
}

__global__ void nothing_kernel() {}

__global__ void __launch_bounds__(64) bounded_kernel(int* x) {
  __shared__ int tile[64];
  tile[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = tile[63 - threadIdx.x];
}

__global__ void many_kernel(char, double, short, float4) {}

__global__ void __cluster_dims__(2, 1, 1) clustered_kernel(int* x) {
  auto cluster = cooperative_groups::this_cluster();
  cluster.sync();
  if (threadIdx.x == 0) x[blockIdx.x] = static_cast<int>(cluster.block_rank() * 10);
}

__global__ void hungry_kernel(float* x) {
  float values[180];
#pragma unroll
  for (int i = 0; i < 180; ++i) values[i] = x[i * blockDim.x + threadIdx.x];
#pragma unroll 1
  for (int k = 0; k < 4; ++k) {
#pragma unroll
    for (int i = 0; i < 180; ++i) values[i] = values[i] * values[(i + 7) % 180] + values[0];
  }
#pragma unroll
  for (int i = 0; i < 180; ++i) x[i * blockDim.x + threadIdx.x] = values[i];
}

__global__ void wild_kernel(int* x) { *x = 1; }

__global__ void trapping_kernel() { __trap(); }

__global__ void asserting_kernel() { assert(threadIdx.x == 99); }

__global__ void grid_sum_kernel(int* x) {
  auto grid = cooperative_groups::this_grid();
  x[grid.thread_rank()] = 1;
  grid.sync();
  if (grid.thread_rank() == 0) {
    int sum = 0;
    for (int i = 0; i < static_cast<int>(grid.size()); ++i) sum += x[i];
    x[0] = sum;
  }
}

__global__ void slow_kernel() {
  for (int i = 0; i < 2000; ++i) __nanosleep(10000);
}

template <typename Kernel>
const void* address(Kernel* kernel) {
  return reinterpret_cast<const void*>(kernel);
}

}  // namespace

namespace answers {
const void* const fill = address(fill_kernel);
const void* const add_one = address(add_one_kernel);
const void* const nothing = address(nothing_kernel);
const void* const bounded = address(bounded_kernel);
const void* const many = address(many_kernel);
const void* const clustered = address(clustered_kernel);
const void* const hungry = address(hungry_kernel);
const void* const wild = address(wild_kernel);
const void* const trapping = address(trapping_kernel);
const void* const asserting = address(asserting_kernel);
const void* const grid_sum = address(grid_sum_kernel);
const void* const slow = address(slow_kernel);
const void* const table = &constant_table;
const void* const counter = &device_counter;
}  // namespace answers
