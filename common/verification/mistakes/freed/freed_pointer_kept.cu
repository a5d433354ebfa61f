// A pointer in a device variable outlives what it points to.
__device__ int* current;

__global__ void remember(int* x) { current = x; }
__global__ void use() {
  current[threadIdx.x] = 1;  // expect: use-after-free
}

int main() {
  int *x, *y;
  cudaMalloc(&x, 1 << 20);
  remember<<<1, 1>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaMalloc(&y, 64);
  use<<<1, 32>>>();
  cudaDeviceSynchronize();
}
