// cudaMalloc is given the number of elements instead of their bytes.
__global__ void fill(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = 1;  // expect: out-of-bounds
}

int main() {
  const int n = 1000;
  float *x, *y;
  cudaMalloc(&x, n);
  cudaMalloc(&y, n * sizeof(float));
  fill<<<4, 256>>>(y, n);
  fill<<<4, 256>>>(x, n);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(y);
}
