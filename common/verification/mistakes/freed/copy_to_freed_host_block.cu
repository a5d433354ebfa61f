// The array of the host is freed, but not unregistered, while a kernel and a copy to it are still
// to be done.
#include <cstdlib>

__global__ void fill(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = i;
}

int main() {
  const int n = 1000;
  int* x;
  cudaMalloc(&x, n * sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  int* host = static_cast<int*>(malloc(n * sizeof(int)));
  cudaHostRegister(host, n * sizeof(int), cudaHostRegisterDefault);
  fill<<<4, 256, 0, stream>>>(x, n);
  cudaMemcpyAsync(host, x, n * 4, cudaMemcpyDeviceToHost, stream);  // expect: use-after-free
  free(host);
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  cudaFree(x);
}
