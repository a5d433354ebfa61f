// The barrier between writing and reading is missing.
__global__ void reverse(int* x) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  s[t] = x[t];        // expect: race
  x[t] = s[127 - t];  // expect: race
}

int main() {
  int* x;
  cudaMalloc(&x, 512);
  cudaMemset(x, 0, 512);
  reverse<<<1, 128>>>(x);
  cudaDeviceSynchronize();
}
