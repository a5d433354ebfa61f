// sizeof of a pointer is not that of the array it points to: two of the floats are copied.
#include <vector>

__global__ void twice(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2;  // expect: uninitialized
}

int main() {
  const int n = 1000;
  std::vector<float> values(n, 1);
  float *host = values.data(), *x, *y;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMemcpy(y, host, n * sizeof(*host), cudaMemcpyHostToDevice);
  twice<<<4, 256>>>(y, n);
  cudaMemcpy(x, host, sizeof(host), cudaMemcpyHostToDevice);
  twice<<<4, 256>>>(x, n);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(y);
}
