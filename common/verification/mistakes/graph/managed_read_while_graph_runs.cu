// The host reads managed memory that a graph writes which the device launched, without waiting.
// Built with -rdc=true.

#include <cstdio>

#include "graph_chain.h"

__global__ void square(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= x[i];
}

__global__ void launch(cudaGraphExec_t graph) {
  if (blockIdx.x + threadIdx.x == 0) cudaGraphLaunch(graph, cudaStreamGraphTailLaunch);
}

int main() {
  const int n = 100;
  float *x, *unused;
  cudaMallocManaged(&x, n * sizeof(float));
  cudaMallocManaged(&unused, n * sizeof(float));
  for (int i = 0; i < n; ++i) x[i] = unused[i] = i;
  const cudaGraphExec_t squares =
      Chain().kernel(square, x, n).instance(cudaGraphInstantiateFlagDeviceLaunch);
  const cudaGraphExec_t others =
      Chain().kernel(square, unused, n).instance(cudaGraphInstantiateFlagDeviceLaunch);
  const cudaGraphExec_t graph = Chain().kernel(launch, squares).instance(0);
  cudaDeviceSynchronize();
  // Right: the host waits; and no kernel has launched the graph that uses the other array.
  cudaGraphLaunch(graph, nullptr);
  const float first = unused[0];
  cudaDeviceSynchronize();
  float sum = first + x[2];
  cudaGraphLaunch(graph, nullptr);
  sum += x[2];  // expect: missing-sync
  printf("%.0f\n", sum);
  cudaGraphExecDestroy(others);
}
