// A kernel launches a graph in parallel with its own, whose next node reads what that graph writes.
// Built with -rdc=true.
#include "graph_chain.h"

__global__ void square(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= x[i];  // expect: race
}

__global__ void add_neighbour(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) y[i] = x[i] + x[i + 1];
}

__global__ void launch(cudaGraphExec_t graph, cudaStream_t how) {
  if (blockIdx.x + threadIdx.x == 0) cudaGraphLaunch(graph, how);
}

int main() {
  const int n = 100;
  float *x, *y;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMemset(x, 0, n * sizeof(float));
  const auto of_device = cudaGraphInstantiateFlagDeviceLaunch;
  const cudaGraphExec_t squares = Chain().kernel(square, x, n).instance(of_device);
  const cudaGraphExec_t sums = Chain().kernel(add_neighbour, x, y, n).instance(of_device);
  const cudaStream_t beside = cudaStreamGraphFireAndForget, behind = cudaStreamGraphTailLaunch;
  // Right: before the launch; after all that was launched in parallel.
  cudaGraphLaunch(Chain()
                      .kernel(square, x, n)
                      .kernel(launch, squares, beside)
                      .kernel(launch, sums, behind)
                      .instance(0),
                  nullptr);
  cudaDeviceSynchronize();
  cudaGraphLaunch(
      Chain().kernel(launch, squares, beside).kernel(add_neighbour, x, y, n).instance(0), nullptr);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(y);
}
