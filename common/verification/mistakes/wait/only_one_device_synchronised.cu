// cudaDeviceSynchronize waits for the current device alone.
// gpus: 2
#include <cstdio>

__global__ void fill(int* x, int n, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = value;
}

int main() {
  const int n = 300;
  int* x[2];
  for (int device = 0; device < 2; ++device) {
    cudaSetDevice(device);
    cudaMallocManaged(&x[device], n * sizeof(int));
    fill<<<(n + 127) / 128, 128>>>(x[device], n, device);
  }
  cudaDeviceSynchronize();
  std::printf("%d\n", x[1][n - 1]);
  std::printf("%d\n", x[0][0]);  // expect: missing-sync
  for (int device = 0; device < 2; ++device) {
    cudaSetDevice(device);
    cudaFree(x[device]);
  }
}
