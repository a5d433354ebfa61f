// Exercise 07_checked_steps: add two arrays on the device, and tell the first error.
//
//   sum[i] = a[i] + b[i]
//
// The kernel is there, and the number of blocks. What is missing are the five steps, each of them
// asked whether it worked.
//
// Build and check it: ./learn run ch01/07. The main below is for you: the check does not call it;
//   ./learn sim exercises/ch01_programming_model/07_checked_steps.cu
#include <cstdio>

// One thread for each element; blocks of any size, at least n threads in all.
__global__ void add(const float* a, const float* b, float* sum, long long n) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) sum[i] = a[i] + b[i];
}

// Blocks of `block` threads that cover n elements.
unsigned blocks_for(long long n, int block) {
  return static_cast<unsigned>((n + block - 1) / block);
}

// a, b and sum: n floats each, in host memory; n and block are at least 1.
// Gives back the first error, or cudaSuccess; no memory is left allocated, and no error unread.
cudaError_t add_checked(const float* a, const float* b, float* sum, long long n, int block) {
  // BEGIN YOUR CODE
  const size_t bytes = n * sizeof(float);
  float *device_a = nullptr, *device_b = nullptr, *device_sum = nullptr;
  cudaError_t error = cudaMalloc(&device_a, bytes);
  if (error == cudaSuccess) error = cudaMalloc(&device_b, bytes);
  if (error == cudaSuccess) error = cudaMalloc(&device_sum, bytes);
  if (error == cudaSuccess) error = cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) error = cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) {
    add<<<blocks_for(n, block), block>>>(device_a, device_b, device_sum, n);
    error = cudaGetLastError();
  }
  if (error == cudaSuccess) error = cudaMemcpy(sum, device_sum, bytes, cudaMemcpyDeviceToHost);
  cudaFree(device_a);
  cudaFree(device_b);
  cudaFree(device_sum);
  cudaGetLastError();
  return error;
  // END YOUR CODE
}

int main() {
  const float a[3] = {1, 2, 3};
  const float b[3] = {10, 20, 30};
  float sum[3] = {};
  const cudaError_t error = add_checked(a, b, sum, 3, 256);
  std::printf("%s: %g %g %g\n", cudaGetErrorName(error), sum[0], sum[1], sum[2]);
}
