// Nine values go into the first of two local arrays, which has room for eight: the last one is the
// second array's first.
__global__ void merge(const int* x, int* out, int count) {
  int low[8], high[8];
  for (int i = 0; i < 8; ++i) high[i] = x[31 - i];
  for (int i = 0; i < count; ++i) low[i] = x[i];  // expect: out-of-bounds
  int sum = 0;
  for (int i = 0; i < 8; ++i) sum += low[x[i] & 7] * high[x[i + 8] & 7];
  out[threadIdx.x] = sum;
}

int main() {
  int *x, *out;
  cudaMalloc(&x, 32 * sizeof(int));
  cudaMalloc(&out, 32 * sizeof(int));
  cudaMemset(x, 1, 32 * sizeof(int));
  merge<<<1, 32>>>(x, out, 8);
  merge<<<1, 32>>>(x, out, 9);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(out);
}
