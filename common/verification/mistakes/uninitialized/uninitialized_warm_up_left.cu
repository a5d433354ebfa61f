// A warm-up on memory that nothing has written, whose results the real launch overwrites but for
// the last block: a kernel adds them up.
__global__ void scale(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i];  // expect: uninitialized
}

__global__ void sum(const float* y, float* total, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(total, y[i]);
}

int main() {
  const int n = 1024;
  float *x, *y, *total;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMalloc(&total, sizeof(float));
  cudaMemset(total, 0, sizeof(float));
  scale<<<4, 256>>>(x, y, n);
  cudaMemset(x, 0, n * sizeof(float));
  scale<<<3, 256>>>(x, y, n);
  sum<<<1, 256>>>(y, total, n);
  cudaDeviceSynchronize();
}
