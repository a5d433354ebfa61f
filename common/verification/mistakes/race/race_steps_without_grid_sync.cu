// Steps of a simulation in one cooperative launch: blocks that meet at __syncthreads() alone read
// what their neighbours have not written yet.
#include <cooperative_groups.h>

#include <utility>

template <bool meet>
__global__ void relax(float* a, float* b, int n, int steps) {
  auto grid = cooperative_groups::this_grid();
  for (int step = 0; step < steps; ++step) {
    for (int i = grid.thread_rank(); i < n; i += grid.size())
      b[i] = (a[max(i - 1, 0)] + a[min(i + 1, n - 1)]) / 2;  // expect: race
    if (meet)
      grid.sync();
    else
      __syncthreads();
    float* const next = a;
    a = b;
    b = next;
  }
}

int main() {
  int n = 1000, steps = 4;
  float host[1000], *a, *b;
  for (int i = 0; i < n; ++i) host[i] = float(i % 10);
  cudaMalloc(&a, sizeof host);
  cudaMalloc(&b, sizeof host);
  cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
  void* arguments[] = {&a, &b, &n, &steps};
  cudaLaunchCooperativeKernel(relax<true>, 8, 128, arguments);
  cudaLaunchCooperativeKernel(relax<false>, 8, 128, arguments);
  cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(b);
}
