// The third argument of the launch counts elements, but it has to count bytes.
__global__ void reverse(double* x) {
  extern __shared__ double s[];
  const int t = threadIdx.x;
  s[t] = x[t];  // expect: out-of-bounds
  __syncthreads();
  x[t] = s[blockDim.x - 1 - t];
}

int main() {
  double* x;
  cudaMalloc(&x, 64 * sizeof(double));
  cudaMemset(x, 0, 64 * sizeof(double));
  reverse<<<1, 64, 64>>>(x);
  cudaDeviceSynchronize();
}
