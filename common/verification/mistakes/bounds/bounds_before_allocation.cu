// Index -1 is before the allocation.
__global__ void shift(double* x, int n) {
  const int i = threadIdx.x;
  if (i < n) x[i - 1] = 0.5;  // expect: out-of-bounds
}

int main() {
  double* x;
  cudaMalloc(&x, 32 * sizeof(double));
  shift<<<1, 32>>>(x, 32);
  cudaDeviceSynchronize();
}
