// cudaLaunchKernel takes the address of each argument; the list holds the pointer itself.
__global__ void fill(int* x, int n) {
  const int i = threadIdx.x;
  if (i < n) x[i] = 1;
}

int main() {
  int n = 256, *x;
  cudaMalloc(&x, n * sizeof *x);
  void *right[] = {&x, &n}, *wrong[] = {x, &n};
  cudaLaunchKernel((void*)fill, 1, 256, right, 0, nullptr);
  cudaLaunchKernel((void*)fill, 1, 256, wrong, 0, nullptr);  // expect: device-pointer-on-host
  cudaDeviceSynchronize();
  cudaFree(x);
}
