// The block before the first one: an unsigned index below 0 is more than 4 billion.
__global__ void add_sum_before(int* x, const int* sums, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += sums[blockIdx.x - 1];  // expect: out-of-bounds
}

int main() {
  const unsigned n = 1000, blocks = 4;
  int *x, *sums;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&sums, blocks * sizeof(int));
  cudaMemset(x, 0, n * sizeof(int));
  cudaMemset(sums, 0, blocks * sizeof(int));
  add_sum_before<<<blocks, 256>>>(x, sums, n);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(sums);
}
