// sizeof of the host's array is larger than what was allocated.
int main() {
  int host[100] = {};
  int* x;
  cudaMalloc(&x, 100);
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);  // expect: invalid-copy
  cudaFree(x);
}
