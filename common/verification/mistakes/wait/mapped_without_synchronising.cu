// The host reads pinned memory that a kernel writes, before it has waited for the kernel. The half
// that no kernel touches it may use meanwhile.
#include <cstdio>

__global__ void fill(int* x, int value) { x[threadIdx.x] = value; }

int main() {
  constexpr int half = 2048;
  int* shared;
  cudaHostAlloc(&shared, 2 * half * sizeof(int), cudaHostAllocMapped);
  fill<<<1, 256>>>(shared, 7);
  for (int i = half; i < 2 * half; ++i) shared[i] = i;
  printf("%d\n", shared[half] + shared[half / 2]);
  printf("%d\n", shared[5]);  // expect: missing-sync
  cudaFreeHost(shared);
}
