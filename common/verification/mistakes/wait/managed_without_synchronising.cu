// The host reads managed memory while the kernel may still be writing it.
#include <cstdio>

__global__ void work(int* x) {
  int v = 0;
  for (int i = 0; i < 20000; ++i) v = v * 3 + i;
  *x = v;
}

int main() {
  int* x;
  cudaMallocManaged(&x, sizeof(int));
  work<<<1, 1>>>(x);
  const int early = *x;  // expect: missing-sync
  cudaDeviceSynchronize();
  cudaFree(x);
  return early == 12345;
}
