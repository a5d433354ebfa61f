// New constants are copied in one stream, and used in another that does not wait for them.
__constant__ float weights[4];

__global__ void weigh(float* x) {
  x[threadIdx.x] *= weights[threadIdx.x % 4];  // expect: race
}

int main() {
  float *x, *host;
  cudaMalloc(&x, 64 * sizeof(float));
  cudaMemset(x, 0, 64 * sizeof(float));
  cudaMallocHost(&host, sizeof weights);
  for (int i = 0; i < 4; ++i) host[i] = i;
  cudaStream_t copies, kernels;
  cudaStreamCreate(&copies);
  cudaStreamCreate(&kernels);
  cudaMemcpyToSymbolAsync(weights, host, sizeof weights, 0, cudaMemcpyHostToDevice, copies);
  weigh<<<1, 64, 0, kernels>>>(x);
  cudaDeviceSynchronize();
  cudaStreamDestroy(copies);
  cudaStreamDestroy(kernels);
  cudaFree(x);
  cudaFreeHost(host);
}
