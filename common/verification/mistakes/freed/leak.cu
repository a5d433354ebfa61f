// One of two allocations is never freed.
int main() {
  int *a, *b;
  cudaMalloc(&a, 1000);
  cudaMalloc(&b, 2000);  // expect: leak
  cudaFree(a);
  cudaDeviceReset();
}
