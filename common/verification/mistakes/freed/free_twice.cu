// Two owners free the same memory.
#include <cstdio>

int main() {
  float *a, *b;
  cudaMalloc(&a, 400);
  b = a;
  cudaFree(a);
  printf("%s\n", cudaGetErrorName(cudaFree(b)));  // expect: invalid-free
}
