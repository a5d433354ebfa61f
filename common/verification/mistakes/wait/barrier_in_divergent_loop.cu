// Lanes of one warp run different numbers of rounds, each with a barrier.
__global__ void uneven(int* out) {
  __shared__ int s[32];
  const int t = threadIdx.x;
  s[t] = 0;
  for (int i = 0; i < t % 4; ++i) {
    s[t] += i;
    __syncthreads();  // expect: barrier-divergence
  }
  out[t] = s[t];
}

int main() {
  int* out;
  cudaMalloc(&out, 128);
  uneven<<<1, 32>>>(out);
  cudaDeviceSynchronize();
}
