// The second barrier of the loop is missing: the next round overwrites what others still read.
__global__ void rounds(int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  int sum = 0;
  for (int r = 0; r < 4; ++r) {
    s[t] = t * r;  // expect: race
    __syncthreads();
    sum += s[(t + 33) % 64];  // expect: race
  }
  out[t] = sum;
}

int main() {
  int* out;
  cudaMalloc(&out, 256);
  rounds<<<1, 64>>>(out);
  cudaDeviceSynchronize();
}
