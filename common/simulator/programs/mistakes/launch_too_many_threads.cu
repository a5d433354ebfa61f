// 32 x 33 threads are more than a block can have.
__global__ void nothing() {}

int main() {
  nothing<<<1, dim3(32, 33)>>>();  // expect: launch-configuration
  cudaDeviceSynchronize();
}
