// The sums are accumulated in memory that was never cleared.
__global__ void add(const int* in, int* sum) {
  sum[threadIdx.x] = sum[threadIdx.x] + in[threadIdx.x];  // expect: uninitialized
}

int main() {
  int *in, *sum;
  cudaMalloc(&in, 128);
  cudaMalloc(&sum, 128);
  cudaMemset(in, 0, 128);
  add<<<1, 32>>>(in, sum);
  cudaDeviceSynchronize();
}
