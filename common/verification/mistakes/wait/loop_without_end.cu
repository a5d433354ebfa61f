// The step is zero for the first thread.
__global__ void count(int* out, int n) {
  int rounds = 0;
  for (int i = 0; i < n; i += threadIdx.x) out[rounds++ & 31] = i;  // expect: timeout
}

int main() {
  int* out;
  cudaMalloc(&out, 128);
  count<<<1, 1>>>(out, 100);
  cudaDeviceSynchronize();
}
