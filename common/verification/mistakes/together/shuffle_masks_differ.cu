// The halves of the warp do not agree on the lanes that take part.
__global__ void swap(int* out) {
  const unsigned mask = threadIdx.x < 16 ? 0xffffffffu : 0xffff0000u;
  out[threadIdx.x] = __shfl_xor_sync(mask, threadIdx.x, 1);  // expect: invalid-shuffle
}

int main() {
  int* out;
  cudaMalloc(&out, 128);
  swap<<<1, 32>>>(out);
  cudaDeviceSynchronize();
}
