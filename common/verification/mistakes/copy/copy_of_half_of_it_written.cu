// The grid is rounded down: no thread has the last elements. The program sees that itself.
#include <vector>

__global__ void fill(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = i;
}

int main() {
  const int n = 1000, block = 256;
  float* x;
  cudaMalloc(&x, n * sizeof(float));
  fill<<<n / block, block>>>(x, n);
  std::vector<float> host(n);
  cudaMemcpy(host.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost);  // expect: uninitialized
  cudaFree(x);
  return host[n - 1] == n - 1 ? 0 : 1;
}
