// Each warp writes its own result to the same place.
__global__ void last(int* out) {
  __shared__ int winner;
  if (threadIdx.x % 32 == 0) winner = threadIdx.x / 32;  // expect: race
  __syncthreads();
  if (threadIdx.x == 0) *out = winner;
}

int main() {
  int* out;
  cudaMalloc(&out, 4);
  last<<<1, 128>>>(out);
  cudaDeviceSynchronize();
}
