// Two kernels side by side, each of which wants to see the other's flag first.
__global__ void left(volatile int* flags) {
  while (flags[1] == 0) {  // expect: deadlock
  }
  flags[0] = 1;
}

__global__ void right(volatile int* flags) {
  while (flags[0] == 0) {  // expect: deadlock
  }
  flags[1] = 1;
}

int main() {
  int* flags;
  cudaMalloc(&flags, 2 * sizeof(int));
  cudaMemset(flags, 0, 2 * sizeof(int));
  cudaDeviceSynchronize();
  cudaStream_t a, b;
  cudaStreamCreate(&a);
  cudaStreamCreate(&b);
  left<<<1, 32, 0, a>>>(flags);
  right<<<1, 32, 0, b>>>(flags);
  cudaDeviceSynchronize();
}
