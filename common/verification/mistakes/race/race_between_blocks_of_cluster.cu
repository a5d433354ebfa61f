// The barrier is the block's; the other block of the cluster may not have written yet.
#include <cooperative_groups.h>

__global__ __cluster_dims__(2) void swap(int* out) {
  __shared__ int numbers[32];
  const auto cluster = cooperative_groups::this_cluster();
  const unsigned rank = cluster.block_rank();
  numbers[threadIdx.x] = threadIdx.x + 100 * rank;  // expect: race
  __syncthreads();
  const int* others = cluster.map_shared_rank(numbers, rank ^ 1);
  out[blockIdx.x * 32 + threadIdx.x] = others[31 - threadIdx.x];  // expect: race
  cluster.sync();
}

int main() {
  int* out;
  cudaMalloc(&out, 256);
  swap<<<2, 32>>>(out);
  cudaDeviceSynchronize();
}
