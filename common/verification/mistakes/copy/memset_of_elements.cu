// cudaMemset counts bytes: a quarter of the array is set.
__global__ void add_one(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += 1;  // expect: uninitialized
}

int main() {
  const int n = 1000;
  int *x, *y;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&y, n * sizeof(int));
  cudaMemset(y, 0, n * sizeof(int));
  add_one<<<4, 256>>>(y, n);
  cudaMemset(x, 0, n);
  add_one<<<4, 256>>>(x, n);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(y);
}
