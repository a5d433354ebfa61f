// A stream gives memory back that a kernel of another may still be writing: nothing puts the one in
// front of the other. Behind an event it is right.
#include <cstdio>

__global__ void fill(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = i;
}

int main() {
  const int n = 4096;
  cudaStream_t here, there;
  cudaStreamCreateWithFlags(&here, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&there, cudaStreamNonBlocking);
  cudaEvent_t filled;
  cudaEventCreate(&filled);
  int *x, *y;
  cudaMallocAsync(&x, n * sizeof(int), here);
  fill<<<n / 256, 256, 0, here>>>(x, n);
  cudaEventRecord(filled, here);
  cudaStreamWaitEvent(there, filled);
  cudaFreeAsync(x, there);

  cudaMallocAsync(&y, n * sizeof(int), here);
  fill<<<n / 256, 256, 0, here>>>(y, n);
  cudaFreeAsync(y, there);  // expect: race
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaStreamDestroy(here);
  cudaStreamDestroy(there);
  cudaEventDestroy(filled);
}
