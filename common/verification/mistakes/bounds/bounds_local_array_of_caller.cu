// The four smallest of each thread's values. A full list is passed on as if it had a fifth place.
__device__ __noinline__ void insert(int* best, int count, int value) {
  int at = count;
  for (; at > 0 && best[at - 1] > value; --at) best[at] = best[at - 1];
  best[at] = value;  // expect: out-of-bounds
}

__global__ void smallest(const int* x, int* out, int n) {
  int best[4];
  for (int i = 0; i < n; ++i) insert(best, i < 5 ? i : 4, x[i * 32 + threadIdx.x]);
  for (int k = 0; k < 4; ++k) out[k * 32 + threadIdx.x] = best[k];
}

int main() {
  const int n = 8;
  int *x, *out;
  cudaMalloc(&x, n * 32 * sizeof(int));
  cudaMalloc(&out, 4 * 32 * sizeof(int));
  cudaMemset(x, 1, n * 32 * sizeof(int));
  smallest<<<1, 32>>>(x, out, n);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(out);
}
