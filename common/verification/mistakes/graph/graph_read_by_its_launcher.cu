// A kernel launches a graph and reads at once what that writes, as if it had waited for it.
// Built with -rdc=true.
#include "graph_chain.h"

__global__ void square(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= x[i];
}

__global__ void launch_and_read(cudaGraphExec_t graph, const float* x, float* first) {
  if (blockIdx.x + threadIdx.x != 0) return;
  cudaGraphLaunch(graph, cudaStreamGraphFireAndForget);
  *first = x[0];  // expect: race
}

// Right: read before the launch, or launched after the kernel and its graph.
__global__ void read_and_launch(cudaGraphExec_t graph, const float* x, float* first) {
  if (blockIdx.x + threadIdx.x != 0) return;
  *first = x[0];
  cudaGraphLaunch(graph, cudaStreamGraphFireAndForget);
}

__global__ void launch_behind(cudaGraphExec_t graph, const float* x, float* first) {
  if (blockIdx.x + threadIdx.x != 0) return;
  cudaGraphLaunch(graph, cudaStreamGraphTailLaunch);
  *first = x[0];
}

int main() {
  const int n = 100;
  float *x, *first;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&first, sizeof(float));
  cudaMemset(x, 0, n * sizeof(float));
  const cudaGraphExec_t squares =
      Chain().kernel(square, x, n).instance(cudaGraphInstantiateFlagDeviceLaunch);
  cudaGraphLaunch(Chain().kernel(read_and_launch, squares, x, first).instance(0), nullptr);
  cudaGraphLaunch(Chain().kernel(launch_behind, squares, x, first).instance(0), nullptr);
  cudaGraphLaunch(Chain().kernel(launch_and_read, squares, x, first).instance(0), nullptr);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(first);
}
