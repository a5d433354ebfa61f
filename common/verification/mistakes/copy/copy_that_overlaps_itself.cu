// An array is moved by one element within itself. Parts of it that do not overlap may be copied.
#include <cstdio>

int main() {
  const int n = 1000;
  int* x;
  cudaMalloc(&x, 2 * n * sizeof(int));
  cudaMemset(x, 0, 2 * n * sizeof(int));
  cudaMemcpy(x + n, x, n * sizeof(int), cudaMemcpyDeviceToDevice);
  cudaMemcpy(x, x, n * sizeof(int), cudaMemcpyDeviceToDevice);
  for (int i = 0; i < 3; ++i)
    cudaMemcpy(x + 1, x, n * sizeof(int), cudaMemcpyDeviceToDevice);  // expect: invalid-copy
  cudaFree(x);
}
