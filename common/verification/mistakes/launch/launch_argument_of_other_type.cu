// cudaLaunchKernel takes addresses and cannot see types: floats go to a kernel for doubles.
__global__ void fill(double* x, int n) {
  const int i = threadIdx.x;
  if (i < n) x[i] = 1;  // expect: out-of-bounds
}

int main() {
  int n = 256;
  float* x;
  double* y;
  cudaMalloc(&x, n * sizeof *x);
  cudaMalloc(&y, n * sizeof *y);
  void *right[] = {&y, &n}, *wrong[] = {&x, &n};
  cudaLaunchKernel((void*)fill, 1, 256, right, 0, nullptr);
  cudaLaunchKernel((void*)fill, 1, 256, wrong, 0, nullptr);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(y);
}
