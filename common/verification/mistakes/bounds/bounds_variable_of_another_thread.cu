// Threads hand each other the addresses of their local variables. On a GPU all threads have theirs
// at the same addresses, so that each one reads its own.
__global__ void reverse(int* out) {
  __shared__ int* rows[64];
  const int t = threadIdx.x;
  int row[4];
  for (int i = 0; i < 4; ++i) row[i] = 10 * t + i;
  rows[t] = row;
  __syncthreads();
  out[t] = rows[63 - t][t % 4];  // expect: out-of-bounds
}

int main() {
  int* out;
  cudaMalloc(&out, 256);
  reverse<<<1, 64>>>(out);
  cudaDeviceSynchronize();
}
