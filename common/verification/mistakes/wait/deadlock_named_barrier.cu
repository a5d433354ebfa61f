// The named barrier waits for 96 threads, but only 64 come.
__global__ void wait(int* out) {
  if (threadIdx.x < 64) {
    asm volatile("bar.sync 1, 96;" ::: "memory");  // expect: deadlock
    out[threadIdx.x] = 1;
  }
}

int main() {
  int* out;
  cudaMalloc(&out, 512);
  wait<<<1, 128>>>(out);
  cudaDeviceSynchronize();
}
