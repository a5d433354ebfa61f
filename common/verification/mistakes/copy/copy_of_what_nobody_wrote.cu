// The kernel writes one array, and the program copies the other.
#include <vector>

__global__ void fill(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = i;
}

int main() {
  const int n = 1000;
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  fill<<<4, 256>>>(in, n);
  std::vector<float> host(n);
  cudaMemcpy(host.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);  // expect: uninitialized
  cudaFree(in);
  cudaFree(out);
}
