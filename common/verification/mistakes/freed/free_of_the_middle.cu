// The pointer was moved on before it was freed.
#include <cstdio>

int main() {
  int* x;
  cudaMalloc(&x, 400);
  x += 10;
  printf("%s\n", cudaGetErrorName(cudaFree(x)));  // expect: invalid-free
}
