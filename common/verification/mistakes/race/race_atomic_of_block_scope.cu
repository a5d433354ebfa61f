// Blocks count together, each with an atomic operation that holds within one block.
__global__ void count(int* total, const int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] == 0) atomicAdd_block(total, 1);  // expect: race
}

int main() {
  int *total, *x;
  const int n = 1000;
  cudaMalloc(&total, sizeof(int));
  cudaMalloc(&x, n * sizeof(int));
  cudaMemset(total, 0, sizeof(int));
  cudaMemset(x, 0, n * sizeof(int));
  count<<<4, 256>>>(total, x, n);
  cudaDeviceSynchronize();
  cudaFree(total);
  cudaFree(x);
}
