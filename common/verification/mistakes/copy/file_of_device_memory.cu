// Device memory is given to a function that writes a file.
#include <cstdio>

__global__ void fill(int* x, int n, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = value;
}

int main() {
  constexpr int n = 1 << 16;
  int* x;
  cudaMalloc(&x, n * sizeof(int));
  fill<<<n / 256, 256>>>(x, n, 7);
  cudaDeviceSynchronize();
  FILE* file = tmpfile();
  fwrite(x, sizeof(int), n, file);  // expect: device-pointer-on-host
  cudaFree(x);
  fclose(file);
}
