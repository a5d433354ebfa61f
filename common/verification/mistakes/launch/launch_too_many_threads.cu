// 32 x 33 threads are more than a block can have.
#include <cstdio>

__global__ void nothing() {}

int main() {
  nothing<<<1, dim3(32, 33)>>>();  // expect: launch-configuration
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
