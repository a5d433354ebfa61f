// The pointer was moved on before it was freed.
int main() {
  int* x;
  cudaMalloc(&x, 400);
  x += 10;
  cudaFree(x);  // expect: invalid-free
}
