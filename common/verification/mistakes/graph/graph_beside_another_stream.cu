// A kernel in another stream reads what a graph writes that the device launched, and nothing orders
// the two.
// Built with -rdc=true.
#include "graph_chain.h"

__global__ void square(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= x[i];
}

__global__ void add_neighbour(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) y[i] = x[i] + x[i + 1];  // expect: race
}

__global__ void launch(cudaGraphExec_t graph) {
  if (blockIdx.x + threadIdx.x == 0) cudaGraphLaunch(graph, cudaStreamGraphFireAndForget);
}

int main() {
  const int n = 100;
  float *x, *y;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMemset(x, 0, n * sizeof(float));
  cudaStream_t one, other;
  cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  cudaEvent_t done;
  cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
  const cudaGraphExec_t squares =
      Chain().kernel(square, x, n).instance(cudaGraphInstantiateFlagDeviceLaunch);
  const cudaGraphExec_t graph = Chain().kernel(launch, squares).instance(0);
  cudaDeviceSynchronize();
  // Right: an event after the graph is after all that its kernels launch.
  cudaGraphLaunch(graph, one);
  cudaEventRecord(done, one);
  cudaStreamWaitEvent(other, done, 0);
  add_neighbour<<<2, 64, 0, other>>>(x, y, n);
  cudaDeviceSynchronize();
  cudaGraphLaunch(graph, one);
  add_neighbour<<<2, 64, 0, other>>>(x, y, n);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(y);
}
