// Two owners free the same memory.
int main() {
  float *a, *b;
  cudaMalloc(&a, 400);
  b = a;
  cudaFree(a);
  cudaFree(b);  // expect: invalid-free
}
