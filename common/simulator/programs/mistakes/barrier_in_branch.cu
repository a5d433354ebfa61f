// Only half of the threads reach the barrier, the others wait at another.
__global__ void halves(int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = t;
  if (t < 32) {
    __syncthreads();  // expect: barrier-divergence
    out[t] = s[63 - t];
  } else {
    out[t] = -1;
    while (out[t] != 0) out[t] = out[t] + 1;
    __syncthreads();
    out[t] = s[t - 32];
    __syncthreads();
  }
}

int main() {
  int* out;
  cudaMalloc(&out, 256);
  halves<<<1, 64>>>(out);
  cudaDeviceSynchronize();
}
