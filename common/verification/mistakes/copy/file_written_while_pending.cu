// The result is written to a file before the host has waited for the kernel. A result that the
// kernel before it has left, and that the host has waited for, may be written.
#include <cstdio>
#include <fstream>

__global__ void fill(int* x, int n, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = value;
}

int main() {
  constexpr int n = 1 << 16;
  int* results;
  cudaMallocHost(&results, 2 * n * sizeof(int));
  FILE* file = tmpfile();
  fill<<<n / 256, 256>>>(results, n, 7);
  cudaDeviceSynchronize();
  fill<<<n / 256, 256>>>(results + n, n, 8);
  const size_t written = fwrite(results, sizeof(int), n, file);
  std::ofstream("/dev/null").write(reinterpret_cast<char*>(results), n * sizeof(int));
  printf("%d\n", written == n ? results[n - 1] : 0);
  fwrite(results, sizeof(int), 2 * n, file);  // expect: missing-sync
  cudaDeviceSynchronize();
  fclose(file);
  cudaFreeHost(results);
}
