// Two owners free the same array, as they could free linear memory.
int main() {
  const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  cudaArray_t one, other;
  cudaMallocArray(&one, &floats, 64, 64);
  other = one;
  cudaFreeArray(one);
  return cudaFreeArray(other) == cudaSuccess;  // expect: invalid-free
}
