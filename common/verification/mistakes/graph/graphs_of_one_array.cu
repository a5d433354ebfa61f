// Two graphs that a kernel launches side by side write the same sums.
// Built with -rdc=true.
#include "graph_chain.h"

__global__ void add_to(float* sums, const float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sums[i] += x[i];  // expect: race
}

__global__ void launch_both(cudaGraphExec_t one, cudaGraphExec_t other, cudaStream_t how) {
  if (blockIdx.x + threadIdx.x != 0) return;
  cudaGraphLaunch(one, how);
  cudaGraphLaunch(other, how);
}

int main() {
  const int n = 100;
  float *x, *y, *sums;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMalloc(&sums, n * sizeof(float));
  cudaMemset(x, 0, n * sizeof(float));
  cudaMemset(y, 0, n * sizeof(float));
  cudaMemset(sums, 0, n * sizeof(float));
  const auto of_device = cudaGraphInstantiateFlagDeviceLaunch;
  const cudaGraphExec_t one = Chain().kernel(add_to, sums, x, n).instance(of_device);
  const cudaGraphExec_t other = Chain().kernel(add_to, sums, y, n).instance(of_device);
  const cudaStream_t beside = cudaStreamGraphFireAndForget, behind = cudaStreamGraphTailLaunch;
  // Right: one after the other.
  cudaGraphLaunch(Chain().kernel(launch_both, one, other, behind).instance(0), nullptr);
  cudaGraphLaunch(Chain().kernel(launch_both, one, other, beside).instance(0), nullptr);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(y);
  cudaFree(sums);
}
