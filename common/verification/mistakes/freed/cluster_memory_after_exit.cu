// One block of a cluster returns while the other still reads its shared memory.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2) neighbours(int* y) {
  __shared__ int s[32];
  cg::cluster_group c = cg::this_cluster();
  s[threadIdx.x] = c.block_rank() * 100 + threadIdx.x;
  c.sync();
  if (c.block_rank() == 1) return;
  int* other = c.map_shared_rank(s, c.block_rank() ^ 1);
  y[blockIdx.x * 32 + threadIdx.x] = other[threadIdx.x];  // expect: use-after-free
}

int main() {
  int* y;
  cudaMalloc(&y, 512);
  neighbours<<<4, 32>>>(y);
  cudaDeviceSynchronize();
  cudaFree(y);
}
