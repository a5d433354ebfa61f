// The kernel was compiled for 128 threads at most.
#include <cstdio>

__global__ void __launch_bounds__(128) kernel(int* x) {
  if (x) *x = 1;
}

int main() {
  kernel<<<1, 192>>>(nullptr);  // expect: launch-configuration
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
