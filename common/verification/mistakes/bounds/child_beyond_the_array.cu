// The grid that a kernel launches has more threads than the array has elements.
// Built with -rdc=true.

__global__ void square(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] *= x[i];  // expect: out-of-bounds
}

__global__ void each_row(int* x, int columns) {
  int* row = x + threadIdx.x * columns;
  square<<<(columns + 63) / 64, 64>>>(row, columns);
}

int main() {
  const int rows = 3, columns = 100;
  int* x;
  cudaMalloc(&x, rows * columns * sizeof(int));
  cudaMemset(x, 0, rows * columns * sizeof(int));
  each_row<<<1, rows>>>(x, columns);
  cudaDeviceSynchronize();
}
