// All threads clear the last place of a scan, where one of them has just stored the sum.
__global__ void sums(const int* x, int* out, int* total) {
  __shared__ int tile[64];
  const int i = threadIdx.x;
  tile[i] = x[i];
  for (int half = 32; half; half /= 2) {
    __syncthreads();
    if (i < half) tile[63 - i] += tile[63 - i - half];
  }
  if (i == 0) *total = tile[63];
  tile[63] = 0;  // expect: race
  __syncthreads();
  out[i] = tile[i];
}

__global__ void sums_of_one(const int* x, int* out, int* total) {
  __shared__ int tile[64];
  const int i = threadIdx.x;
  tile[i] = x[i];
  for (int half = 32; half; half /= 2) {
    __syncthreads();
    if (i < half) tile[63 - i] += tile[63 - i - half];
  }
  if (i == 0) *total = tile[63];
  if (i == 0) tile[63] = 0;
  __syncthreads();
  out[i] = tile[i];
}

int main() {
  int *x, *out, *total;
  cudaMalloc(&x, 256);
  cudaMalloc(&out, 256);
  cudaMalloc(&total, 4);
  cudaMemset(x, 1, 256);
  sums_of_one<<<1, 64>>>(x, out, total);
  sums<<<1, 64>>>(x, out, total);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(out);
  cudaFree(total);
}
