// Every thread adds to a place of its own that was never set to zero.
__global__ void sums(const int* in, int n, int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  for (int i = t; i < n; i += 64) s[t] += in[i];  // expect: uninitialized
  __syncthreads();
  out[t] = s[63 - t];
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 1024);
  cudaMalloc(&out, 256);
  cudaMemset(in, 0, 1024);
  sums<<<1, 64>>>(in, 256, out);
  cudaDeviceSynchronize();
}
