// The flags are never cleared before the launch: a block that comes early takes what is there for
// one.
__global__ void pass_on(int* sums, volatile int* flags) {
  const int block = blockIdx.x;
  int before = 0;
  if (block > 0) {
    while (flags[block - 1] == 0) {  // expect: uninitialized
    }
    __threadfence();
    before = sums[block - 1];
  }
  sums[block] = before + block;
  __threadfence();
  flags[block] = 1;
}

int main() {
  const int blocks = 4;
  int *sums, *flags;
  cudaMalloc(&sums, blocks * sizeof(int));
  cudaMalloc(&flags, blocks * sizeof(int));
  pass_on<<<blocks, 1>>>(sums, flags);
  cudaDeviceSynchronize();
  cudaFree(sums);
  cudaFree(flags);
}
