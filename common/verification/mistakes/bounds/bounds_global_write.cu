// The last block has threads beyond the array.
__global__ void fill(int* x, int) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = i;  // expect: out-of-bounds
}

int main() {
  const int n = 1000;
  int* x;
  cudaMalloc(&x, n * sizeof(int));
  fill<<<4, 256>>>(x, n);
  cudaDeviceSynchronize();
}
