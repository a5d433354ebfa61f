// The result of an allocation that failed is used.
#include <cstdio>

__global__ void fill(int* x) {
  x[threadIdx.x] = 1;  // expect: null-pointer
}

int main() {
  int* x = nullptr;
  fill<<<1, 32>>>(x);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
