// All threads of a block count in a piece of the device's heap, and not by atomics.
__global__ void count(const int* x, int* above, int n) {
  __shared__ int* counter;
  if (threadIdx.x == 0) {
    counter = new int;
    *counter = 0;
  }
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] > 9) *counter += 1;  // expect: race
  __syncthreads();
  if (threadIdx.x == 0) {
    above[blockIdx.x] = *counter;
    delete counter;
  }
}

int main() {
  const int n = 1000, blocks = 8;
  int host[n];
  for (int i = 0; i < n; ++i) host[i] = i % 20;
  int *x, *above;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&above, blocks * sizeof(int));
  cudaMemcpy(x, host, n * sizeof(int), cudaMemcpyHostToDevice);
  count<<<blocks, 128>>>(x, above, n);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(above);
}
