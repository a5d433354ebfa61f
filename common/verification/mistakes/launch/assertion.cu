// An assumption about the input does not hold for one thread.
#include <cassert>
#include <cstdio>

__global__ void root(const float* x, float* out) {
  const float v = x[threadIdx.x];
  assert(v >= 0);  // expect: assert
  out[threadIdx.x] = sqrtf(v);
}

int main() {
  float host[32], *x;
  for (int i = 0; i < 32; ++i) host[i] = i - 3 == 4 ? -1.0f : i;
  cudaMalloc(&x, sizeof host);
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  root<<<1, 32>>>(x, x);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  printf("%s\n", cudaGetErrorName(cudaFree(x)));
}
