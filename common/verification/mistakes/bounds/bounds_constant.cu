// Each thread reads a coefficient of its own; there are fewer coefficients than threads. The name
// of the array is one that a compiler's names of types also use.
__constant__ float c[16];

__global__ void scale(float* y, int n) {
  if (threadIdx.x < n) y[threadIdx.x] = c[threadIdx.x];  // expect: out-of-bounds
}

int main() {
  float host[16] = {}, *y;
  cudaMemcpyToSymbol(c, host, sizeof host);
  cudaMalloc(&y, 32 * sizeof(float));
  scale<<<1, 32>>>(y, 16);
  scale<<<1, 32>>>(y, 32);
  cudaDeviceSynchronize();
  cudaFree(y);
}
