// The first call fails, nothing else needs a GPU, and nobody asks.
int main() {
  cudaSetDevice(7);  // expect: unchecked-error
}
