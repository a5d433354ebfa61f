// The default stream waits for a kernel of a stream that waits for the default stream.
__global__ void wait_for(volatile int* flag) {
  while (*flag == 0) {  // expect: deadlock
  }
}

__global__ void raise(volatile int* flag) { *flag = 1; }

int main() {
  int* flag;
  cudaMalloc(&flag, sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  cudaStream_t other;
  cudaStreamCreate(&other);  // With cudaStreamNonBlocking it would be right.
  wait_for<<<1, 1>>>(flag);
  raise<<<1, 1, 0, other>>>(flag);
  cudaDeviceSynchronize();
}
