// The kernel was compiled for 128 threads at most.
__global__ void __launch_bounds__(128) kernel(int* x) {
  if (x) *x = 1;
}

int main() {
  kernel<<<1, 192>>>(nullptr);  // expect: launch-configuration
  cudaDeviceSynchronize();
}
