// n / 256 is 0 for a small n.
__global__ void nothing() {}

int main() {
  const int n = 100;
  nothing<<<n / 256, 256>>>();  // expect: launch-configuration
  cudaDeviceSynchronize();
}
