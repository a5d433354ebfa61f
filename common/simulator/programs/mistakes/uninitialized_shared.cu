// The bins of the block are not set to zero.
__global__ void histogram(const int* in, int* bins) {
  __shared__ int local[8];
  atomicAdd(&local[in[threadIdx.x] % 8], 1);
  __syncthreads();
  if (threadIdx.x < 8) bins[threadIdx.x] = local[threadIdx.x] + 1;  // expect: uninitialized
}

int main() {
  int *in, *bins;
  cudaMalloc(&in, 256);
  cudaMalloc(&bins, 32);
  cudaMemset(in, 0, 256);
  histogram<<<1, 64>>>(in, bins);
  cudaDeviceSynchronize();
}
