// A grid whose blocks wait for each other has more blocks than the GPU holds. As many as it holds
// are right.
#include <cooperative_groups.h>

#include <cstdio>

__global__ void meet(int* x) {
  if (threadIdx.x == 0) atomicAdd(x, 1);
  cooperative_groups::this_grid().sync();
  if (blockIdx.x == 0 && threadIdx.x == 0) x[1] = x[0];
}

int main() {
  int* x;
  cudaMalloc(&x, 2 * sizeof(int));
  cudaMemset(x, 0, 2 * sizeof(int));
  void* arguments[] = {&x};
  int multiprocessors = 0;
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
  cudaLaunchCooperativeKernel((void*)meet, multiprocessors, 64, arguments);
  const int many = 100000;
  cudaLaunchCooperativeKernel((void*)meet, many, 64, arguments);  // expect: launch-configuration
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  cudaFree(x);
}
