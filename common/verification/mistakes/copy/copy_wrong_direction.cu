// The kind says the opposite of what the pointers are.
int main() {
  int host[100] = {};
  int* x;
  cudaMalloc(&x, sizeof host);
  cudaMemcpy(x, host, sizeof host, cudaMemcpyDeviceToHost);  // expect: invalid-copy
  cudaFree(x);
}
