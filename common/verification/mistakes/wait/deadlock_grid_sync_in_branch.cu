// Only the blocks that have work come to grid.sync(): the others never do.
#include <cooperative_groups.h>

__global__ void two_steps(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (blockIdx.x * blockDim.x < n) {
    x[i] = i;
    cooperative_groups::this_grid().sync();  // expect: deadlock
    x[n - 1 - i] += 1;
  }
}

int main() {
  int* x;
  int n = 128;
  cudaMalloc(&x, n * sizeof(int));
  void* arguments[] = {&x, &n};
  cudaLaunchCooperativeKernel(two_steps, 3, 64, arguments);
  cudaDeviceSynchronize();
}
