// A warp-synchronous reduction without __syncwarp.
__global__ void sum(const int* in, int* out) {
  __shared__ int s[32];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncwarp();
  for (int d = 16; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];  // expect: race
  }
  if (t == 0) *out = s[0];
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 128);
  cudaMalloc(&out, 4);
  cudaMemset(in, 0, 128);
  sum<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
}
