// The input was freed before the launch that reads it.
__global__ void twice(const int* in, int* out) {
  const int i = threadIdx.x;
  out[i] = in[i] * 2;  // expect: use-after-free
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 128);
  cudaMalloc(&out, 128);
  cudaMemset(in, 0, 128);
  cudaFree(in);
  twice<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
}
