// The blocks of a grid synchronise, in a launch that does not promise that all of them are there.
#include <cooperative_groups.h>

__global__ void turn(int* x) {
  if (threadIdx.x == 0) x[blockIdx.x] = blockIdx.x;
  cooperative_groups::this_grid().sync();  // expect: trap
  if (threadIdx.x == 0) x[gridDim.x + blockIdx.x] = x[(blockIdx.x + 1) % gridDim.x];
}

int main() {
  int* x;
  cudaMalloc(&x, 16 * sizeof(int));
  turn<<<8, 64>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}
