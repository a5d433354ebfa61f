// Neighbours in global memory are read while their owners write them.
__global__ void smooth(float* x, int n) {
  const int i = threadIdx.x;
  if (i > 0 && i < n) x[i] = (x[i] + x[i - 1]) * 0.5f;  // expect: race
}

int main() {
  float* x;
  cudaMalloc(&x, 256 * sizeof(float));
  cudaMemset(x, 0, 256 * sizeof(float));
  smooth<<<1, 256>>>(x, 256);
  cudaDeviceSynchronize();
}
