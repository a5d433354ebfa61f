// The size is in elements, and the host runs over the end before any kernel does.
int main() {
  const int n = 10000;
  float* x;
  cudaMallocManaged(&x, n);
  for (int i = 0; i < n; ++i) x[i] = 0;  // expect: out-of-bounds
  cudaFree(x);
}
