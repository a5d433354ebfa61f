// The last block adds what the others have stored, and none of them has made that known.
__device__ unsigned finished = 0;

__global__ void sum(const int* x, volatile int* partial, int* total) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = x[blockIdx.x] + 1;  // a __threadfence() is missing after it
    is_last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last || threadIdx.x > 0) return;
  int all = 0;
  for (int i = 0; i < gridDim.x; ++i) all += partial[i];  // expect: uninitialized
  *total = all;
}

int main() {
  const int blocks = 8;
  int *x, *partial, *total;
  cudaMalloc(&x, blocks * sizeof(int));
  cudaMalloc(&partial, blocks * sizeof(int));
  cudaMalloc(&total, sizeof(int));
  cudaMemset(x, 0, blocks * sizeof(int));
  sum<<<blocks, 32>>>(x, partial, total);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(partial);
  cudaFree(total);
}
