// A kernel launches a graph that was instantiated for the device but never uploaded: it is refused,
// and the program does not check.
// Built with -rdc=true.
#include "graph_chain.h"

__global__ void square(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= x[i];
}

__global__ void launch(cudaGraphExec_t graph) {
  if (blockIdx.x + threadIdx.x == 0)
    cudaGraphLaunch(graph, cudaStreamGraphFireAndForget);  // expect: launch-configuration
}

int main() {
  const int n = 100;
  float* x;
  cudaMalloc(&x, n * sizeof(float));
  cudaMemset(x, 0, n * sizeof(float));
  cudaGraphExec_t squares;
  cudaGraphInstantiate(&squares, Chain().kernel(square, x, n).graph,
                       cudaGraphInstantiateFlagDeviceLaunch);
  cudaGraphLaunch(Chain().kernel(launch, squares).instance(0), nullptr);
  cudaDeviceSynchronize();
  cudaFree(x);
}
