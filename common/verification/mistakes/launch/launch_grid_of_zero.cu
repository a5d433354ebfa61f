// n / 256 is 0 for a small n.
#include <cstdio>

__global__ void nothing() {}

int main() {
  const int n = 100;
  nothing<<<n / 256, 256>>>();  // expect: launch-configuration
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
