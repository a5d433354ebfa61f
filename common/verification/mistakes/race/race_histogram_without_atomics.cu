// Threads count into bins by ++. The same with atomics is right.
__global__ void count(const unsigned char* x, int n, int* bins) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) bins[x[i]]++;  // expect: race
}

__global__ void count_by_atomics(const unsigned char* x, int n, int* bins) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[x[i]], 1);
}

int main() {
  const int n = 1000;
  unsigned char* x;
  int* bins;
  cudaMalloc(&x, n);
  cudaMalloc(&bins, 256 * sizeof(int));
  cudaMemset(x, 3, n);
  cudaMemset(bins, 0, 256 * sizeof(int));
  count_by_atomics<<<(n + 255) / 256, 256>>>(x, n, bins);
  count<<<(n + 255) / 256, 256>>>(x, n, bins);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(bins);
}
