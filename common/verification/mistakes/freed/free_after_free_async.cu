// Memory that cudaFreeAsync is to free once the stream gets there is also freed at once.
int main() {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  int* x;
  cudaMallocAsync(&x, 4096, stream);
  cudaMemsetAsync(x, 0, 4096, stream);
  cudaFreeAsync(x, stream);
  cudaFree(x);  // expect: invalid-free
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
}
