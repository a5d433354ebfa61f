// A kernel launches a graph for each of four parts, though a graph runs once at a time: three are
// refused, and the program does not check.
// Built with -rdc=true.
#include "graph_chain.h"

__global__ void square(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= x[i];
}

__global__ void launch_four_times(cudaGraphExec_t graph) {
  if (blockIdx.x + threadIdx.x != 0) return;
  for (int i = 0; i < 4; ++i)
    cudaGraphLaunch(graph, cudaStreamGraphFireAndForget);  // expect: launch-configuration
}

// Right: a thread that learns that the graph runs does the work itself, or later.
__global__ void launch_once(cudaGraphExec_t graph, int* refused) {
  if (blockIdx.x + threadIdx.x != 0) return;
  if (cudaGraphLaunch(graph, cudaStreamGraphTailLaunch) != cudaSuccess) ++*refused;
}

int main() {
  const int n = 100;
  float* x;
  int* refused;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&refused, sizeof(int));
  cudaMemset(x, 0, n * sizeof(float));
  cudaMemset(refused, 0, sizeof(int));
  const cudaGraphExec_t squares =
      Chain().kernel(square, x, n).instance(cudaGraphInstantiateFlagDeviceLaunch);
  const cudaGraphExec_t once = Chain().kernel(launch_once, squares, refused).instance(0);
  cudaGraphLaunch(once, nullptr);
  cudaGraphLaunch(once, nullptr);
  cudaGraphLaunch(Chain().kernel(launch_four_times, squares).instance(0), nullptr);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(refused);
}
