// The first call fails, nothing else needs a GPU, and the program does not check.
int main() {
  cudaSetDevice(7);  // expect: unchecked-error
}
