// Half of a warp goes to the barrier of the block; the other half waits for it with __syncwarp.
__global__ void halves(int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = t;
  if (t % 32 < 16) {
    __syncthreads();  // expect: barrier-divergence
  }
  __syncwarp();
  out[t] = s[t ^ 1];
}

int main() {
  int* out;
  cudaMalloc(&out, 256);
  halves<<<1, 64>>>(out);
  cudaDeviceSynchronize();
}
