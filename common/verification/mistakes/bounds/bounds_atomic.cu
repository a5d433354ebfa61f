// A histogram with a value that has no bin.
__global__ void histogram(const unsigned char* in, int* bins) {
  atomicAdd(&bins[in[threadIdx.x]], 1);  // expect: out-of-bounds
}

int main() {
  unsigned char host[64], *in;
  int* bins;
  for (int i = 0; i < 64; ++i) host[i] = (unsigned char)i;
  cudaMalloc(&in, 64);
  cudaMalloc(&bins, 63 * sizeof(int));
  cudaMemset(bins, 0, 63 * sizeof(int));
  cudaMemcpy(in, host, 64, cudaMemcpyHostToDevice);
  histogram<<<1, 64>>>(in, bins);
  cudaDeviceSynchronize();
}
