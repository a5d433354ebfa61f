// Two halves of a step in one cooperative launch. All blocks meet between the halves; after the
// second only the threads of each block do, and the next step reads what other blocks write there.
#include <cooperative_groups.h>

template <bool meets_twice>
__global__ void steps(float* a, float* b, int n, int count) {
  auto grid = cooperative_groups::this_grid();
  for (int step = 0; step < count; ++step) {
    for (int i = grid.thread_rank(); i < n; i += grid.size())
      b[i] = a[(i + 1) % n] / 2;  // expect: race
    grid.sync();
    for (int i = grid.thread_rank(); i < n; i += grid.size())
      a[i] = b[(i + 1) % n] + 1;  // expect: race
    if (meets_twice)
      grid.sync();
    else
      __syncthreads();
  }
}

int main() {
  int n = 1000, count = 4;
  float host[1000], *a, *b;
  for (int i = 0; i < n; ++i) host[i] = float(i % 10);
  cudaMalloc(&a, sizeof host);
  cudaMalloc(&b, sizeof host);
  cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
  void* arguments[] = {&a, &b, &n, &count};
  for (auto kernel : {steps<true>, steps<false>})
    cudaLaunchCooperativeKernel(reinterpret_cast<void*>(kernel), 4, 64, arguments);
  cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(b);
}
