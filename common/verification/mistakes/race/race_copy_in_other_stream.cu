// The result is copied in another stream than the kernel that makes it.
__global__ void fill(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = i;
}

int main() {
  const int n = 1000;
  float *x, *host;
  cudaMalloc(&x, n * sizeof(float));
  cudaMallocHost(&host, n * sizeof(float));
  cudaStream_t work, copies;
  cudaStreamCreate(&work);
  cudaStreamCreate(&copies);
  fill<<<4, 256, 0, work>>>(x, n);
  cudaMemcpyAsync(host, x, n * sizeof(float), cudaMemcpyDeviceToHost, copies);  // expect: race
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFreeHost(host);
}
