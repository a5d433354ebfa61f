// cudaFree waits for the kernels that use memory of cudaMalloc, but not where the memory is a
// pool's: on an H100 it is gone at once, and a kernel that still runs ends with an illegal address.
#include <cstdio>

__global__ void fill(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = i;  // expect: use-after-free
}

int main() {
  const int n = 4096;
  int *of_device, *waited_for, *x;
  cudaMalloc(&of_device, n * sizeof(int));
  fill<<<n / 256, 256>>>(of_device, n);
  cudaFree(of_device);

  cudaMallocAsync(&waited_for, n * sizeof(int), 0);
  fill<<<n / 256, 256>>>(waited_for, n);
  cudaStreamSynchronize(0);
  cudaFree(waited_for);

  cudaMallocAsync(&x, n * sizeof(int), 0);
  fill<<<n / 256, 256>>>(x, n);
  cudaFree(x);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
