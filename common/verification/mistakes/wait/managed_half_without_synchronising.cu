// The host reads what a kernel writes to managed memory, before it has waited for it. The half that
// no kernel touches it may use meanwhile, and what a kernel only reads it may read.
#include <unistd.h>

#include <cstdio>
#include <cstring>

__global__ void twice(const int* x, int* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i];
}

int main() {
  const int half = 5000;
  int *x, *y;
  cudaMallocManaged(&x, 2 * half * sizeof(int));
  cudaMallocManaged(&y, 2 * half * sizeof(int));
  for (int i = 0; i < half; ++i) x[i] = i;
  for (int round = 0; round < 3; ++round) {
    twice<<<(half + 255) / 256, 256>>>(x, y, half);
    memset(x + half, 0, half * sizeof(int));
    for (int i = half; i < 2 * half; ++i) x[i] += y[i] = x[i - half];
    cudaDeviceSynchronize();
  }
  twice<<<(half + 255) / 256, 256>>>(x, y, half);
  usleep(300000);  // the kernel may have begun
  memset(x + half, 0, half * sizeof(int));
  cudaDeviceSynchronize();
  twice<<<(half + 255) / 256, 256>>>(x + half, y, half);
  printf("%d %d\n", x[2 * half - 1], y[half]);
  printf("%d\n", y[0]);  // expect: missing-sync
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(y);
}
