// A kernel is launched in a stream that was destroyed. A kernel launched before that still runs.
#include <cstdio>

__global__ void fill(int* x, int value) { x[threadIdx.x] = value; }

int main() {
  int *x, first = 0;
  cudaStream_t stream;
  cudaMalloc(&x, 256 * sizeof(int));
  cudaStreamCreate(&stream);
  fill<<<1, 256, 0, stream>>>(x, 1);
  cudaStreamDestroy(stream);
  fill<<<1, 256, 0, stream>>>(x, 2);  // expect: unchecked-error
  cudaDeviceSynchronize();
  cudaMemcpy(&first, x, sizeof first, cudaMemcpyDeviceToHost);
  printf("%d\n", first);
  cudaFree(x);
}
