// The results are fetched after the memory has gone.
int main() {
  int host[25];
  int* x;
  cudaMalloc(&x, sizeof host);
  cudaMemset(x, 0, sizeof host);
  cudaFree(x);
  cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);  // expect: invalid-copy
}
