// A full mask in a branch that half of the warp does not take; the other half waits at a barrier
// for it.
__global__ void sum(int* out) {
  int v = threadIdx.x;
  if (threadIdx.x < 16) v += __shfl_down_sync(0xffffffffu, v, 8);  // expect: invalid-shuffle
  __syncthreads();
  out[threadIdx.x] = v;
}

int main() {
  int* out;
  cudaMalloc(&out, 128);
  sum<<<1, 32>>>(out);
  cudaDeviceSynchronize();
}
