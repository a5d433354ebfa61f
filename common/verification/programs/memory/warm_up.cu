// A launch that warms up works on memory that nothing has written: what it stores is overwritten
// before anything reads it.
#include <cstdio>
#include <vector>

__global__ void scale(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i] + 1;
}

__global__ void add(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += x[i];
}

int main() {
  const int n = 1000;
  std::vector<float> host(n);
  for (int i = 0; i < n; ++i) host[i] = i;
  float *x, *y, *z;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMalloc(&z, n * sizeof(float));
  for (int i = 0; i < 3; ++i) scale<<<4, 256>>>(x, y, n);
  scale<<<4, 256>>>(x, z, n);
  cudaMemset(z, 0, n * sizeof(float));
  cudaMemcpy(x, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  scale<<<4, 256>>>(x, y, n);
  add<<<4, 256>>>(y, z, n);
  cudaMemcpy(host.data(), z, n * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += host[i] != 2 * i + 1;
  std::printf("%d wrong\n", wrong);
  cudaFree(x);
  cudaFree(y);
  cudaFree(z);
}
