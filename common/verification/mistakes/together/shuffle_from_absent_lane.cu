// The lower half asks for the values of the upper half, which does not take part.
__global__ void exchange(int* out) {
  int v = threadIdx.x;
  if (threadIdx.x < 16)
    v = __shfl_sync(0x0000ffffu, v, threadIdx.x + 16, 32);  // expect: invalid-shuffle
  out[threadIdx.x] = v;
}

int main() {
  int* out;
  cudaMalloc(&out, 128);
  exchange<<<1, 32>>>(out);
  cudaDeviceSynchronize();
}
