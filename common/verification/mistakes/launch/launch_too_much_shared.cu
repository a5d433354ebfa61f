// 64 KB of dynamic shared memory without asking for it first.
#include <cstdio>

__global__ void kernel() {
  extern __shared__ int s[];
  s[threadIdx.x] = 1;
}

int main() {
  kernel<<<1, 32, 65536>>>();  // expect: launch-configuration
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
