// Values that the same kernel has written are read by __ldg(): its cache need not see the store,
// barrier or not. A word that is read there before it is written is right.
__global__ void square(int* x) {
  const unsigned i = threadIdx.x;
  x[i] = __ldg(x + i) * __ldg(x + i);
}

__global__ void mirrored(int* x, int* y) {
  const unsigned i = threadIdx.x;
  x[i] = i;
  __syncthreads();
  y[i] = __ldg(x + 127 - i);  // expect: race
}

int main() {
  int *x, *y;
  cudaMalloc(&x, 512);
  cudaMalloc(&y, 512);
  cudaMemset(x, 0, 512);
  square<<<1, 128>>>(x);
  mirrored<<<1, 128>>>(x, y);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(y);
}
