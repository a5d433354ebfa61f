// The host writes through a pointer from cudaMalloc.
#include <cstdio>

int main() {
  int* x;
  cudaMalloc(&x, 32 * sizeof(int));
  printf("about to write\n");
  fflush(stdout);
  x[0] = 1;  // expect: device-pointer-on-host
  cudaFree(x);
}
