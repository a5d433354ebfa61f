// The first program of chapter 1: eight numbers squared by the GPU.
//
//   nvcc chapters/ch01_programming_model/programs/square.cu -o /tmp/square && /tmp/square
//   ./learn sim chapters/ch01_programming_model/programs/square.cu      # without a GPU
//
// prints: 0 1 4 9 16 25 36 49
#include <cstdio>

__global__ void square(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;  // which element is mine?
  if (i < n) x[i] = x[i] * x[i];
}

int main() {
  float* x = nullptr;
  cudaMallocManaged(&x, 8 * sizeof(float));  // memory that the CPU and the GPU can use
  for (int i = 0; i < 8; ++i) x[i] = i;
  square<<<2, 4>>>(x, 8);   // 2 blocks of 4 threads each
  cudaDeviceSynchronize();  // wait until the GPU has finished
  for (int i = 0; i < 8; ++i) std::printf("%g ", x[i]);
  std::printf("\n");
  cudaFree(x);
}
