// Managed memory goes to a file before the host has waited for the kernel that fills it.
#include <cstdio>
#include <fstream>

__global__ void fill(int* x, int n, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = value;
}

int main() {
  constexpr int n = 1 << 16;
  int* x;
  cudaMallocManaged(&x, n * sizeof(int));
  std::ofstream file("/dev/null");
  fill<<<n / 256, 256>>>(x, n, 7);
  cudaDeviceSynchronize();
  file.write(reinterpret_cast<char*>(x), n * sizeof(int));
  printf("%d\n", file.good() ? x[n - 1] : 0);
  fill<<<n / 256, 256>>>(x, n, 8);
  file.write(reinterpret_cast<char*>(x), n * sizeof(int));  // expect: missing-sync
  cudaDeviceSynchronize();
  cudaFree(x);
}
