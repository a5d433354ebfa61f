// The product of two int is beyond 2147483647 and becomes negative.
__global__ void mark_rows(char* x, int columns) {
  const int first = int(blockIdx.x) * columns;
  x[first] = 1;  // expect: out-of-bounds
}

int main() {
  const int rows = 4, columns = 1000000000;
  char* x;
  cudaMalloc(&x, size_t{rows} * columns);
  mark_rows<<<rows, 1>>>(x, columns);
  cudaDeviceSynchronize();
  cudaFree(x);
}
