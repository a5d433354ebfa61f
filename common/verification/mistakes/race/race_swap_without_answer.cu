// A compare-and-swap that fails has stored nothing: a thread that does not look at its answer loses
// updates.
__global__ void count(const int* values, int* bins) {
  int* bin = bins + values[blockIdx.x * blockDim.x + threadIdx.x];
  const int seen = *bin;           // expect: race
  atomicCAS(bin, seen, seen + 1);  // expect: race
}

__global__ void count_all(const int* values, int* bins) {
  int* bin = bins + values[blockIdx.x * blockDim.x + threadIdx.x];
  for (int seen = *bin, before; (before = atomicCAS(bin, seen, seen + 1)) != seen;) seen = before;
}

int main() {
  int *values, *bins;
  cudaMalloc(&values, 1024);
  cudaMalloc(&bins, 64);
  cudaMemset(values, 0, 1024);
  cudaMemset(bins, 0, 64);
  count_all<<<2, 128>>>(values, bins);
  count<<<2, 128>>>(values, bins);
  cudaDeviceSynchronize();
  cudaFree(values);
  cudaFree(bins);
}
