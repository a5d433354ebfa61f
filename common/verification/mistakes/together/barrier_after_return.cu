// Threads without work leave before the barrier: it is released without them, a note only.
__global__ void scale(int* x, int n) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  if (t >= n) return;
  s[t] = x[t];
  __syncthreads();  // expect: barrier-divergence
  x[t] = s[n - 1 - t];
}

int main() {
  int* x;
  cudaMalloc(&x, 256);
  cudaMemset(x, 0, 256);
  scale<<<1, 64>>>(x, 20);
  cudaDeviceSynchronize();
  cudaFree(x);
}
