// Threads count by a volatile pointer: of the 32 stores of a warp one stays. A note, as no two of
// them race. Counting by atomics is right, and so is a flag that all lanes look at, and set on
// another line.
__global__ void count(volatile int* counter) {
  *counter = *counter + 1;  // expect: race
}

__global__ void count_by_atomics(int* counter) { atomicAdd(counter, 1); }

__global__ void raise(volatile int* flag, int* before) {
  const int seen = *flag;
  if (threadIdx.x == 0) *before = seen;
  *flag = 1;
}

__global__ void count_alone(volatile int* counter) {
  if (threadIdx.x == 0) *counter = *counter + 1;
}

int main() {
  int* counters;
  cudaMalloc(&counters, 2 * sizeof(int));
  cudaMemset(counters, 0, 2 * sizeof(int));
  count<<<8, 32>>>(counters);
  count_by_atomics<<<8, 32>>>(counters);
  raise<<<1, 32>>>(counters, counters + 1);
  count_alone<<<1, 32>>>(counters);
  cudaDeviceSynchronize();
  cudaFree(counters);
}
