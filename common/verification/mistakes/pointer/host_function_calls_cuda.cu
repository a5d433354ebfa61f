// A function that a stream runs may not call CUDA: what it asks for is not done.
#include <cstdio>

static void release(void* x) {
  cudaFree(x);  // expect: unchecked-error
  printf("released\n");
}

int main() {
  float* x;
  cudaMalloc(&x, 1024);
  cudaLaunchHostFunc(nullptr, release, x);
  cudaDeviceSynchronize();
}
