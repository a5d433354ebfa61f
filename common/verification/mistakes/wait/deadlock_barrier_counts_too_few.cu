// A barrier in shared memory counts one thread too few: the last one to come opens a phase of its
// own, for which it waits alone.
#include <cstdio>
#include <cuda/barrier>

using Barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void mirror(float* x, int missing) {
  __shared__ float stage[128];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Barrier full;
  if (threadIdx.x == 0) init(&full, blockDim.x - missing);
  __syncthreads();
  stage[threadIdx.x] = x[threadIdx.x];
  full.arrive_and_wait();  // expect: deadlock
  x[threadIdx.x] = stage[threadIdx.x ^ 1];
  __syncthreads();
}

int main() {
  float* x;
  cudaMalloc(&x, 128 * sizeof(float));
  cudaMemset(x, 0, 128 * sizeof(float));
  mirror<<<1, 128>>>(x, 0);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  mirror<<<1, 128>>>(x, 1);
  cudaDeviceSynchronize();
  cudaFree(x);
}
