// The array of the host is freed while a copy to it is still to be done.
#include <cstdlib>

int main() {
  constexpr size_t bytes = 1 << 22;  // so large that free() gives the pages back
  int* x;
  cudaMalloc(&x, bytes);
  cudaMemset(x, 0, bytes);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  void* host = malloc(bytes);
  cudaHostRegister(host, bytes, cudaHostRegisterDefault);
  cudaMemcpyAsync(host, x, bytes, cudaMemcpyDeviceToHost, stream);  // expect: use-after-free
  free(host);
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  cudaFree(x);
}
