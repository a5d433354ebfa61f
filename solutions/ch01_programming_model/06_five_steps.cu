// Exercise 06_five_steps: add two arrays on the device, from host memory to host memory.
//
//   sum[i] = a[i] + b[i]
//
// The kernel is there. What is missing is everything around it, the five steps: memory on the
// device, copies to it, the launch, the copy back, and the memory freed again.
//
// Build and check it: ./learn run ch01/06. The main below is for you: the check does not call it;
//   ./learn sim exercises/ch01_programming_model/06_five_steps.cu
#include <cstdio>

// One thread for each element; blocks of any size, at least n threads in all.
__global__ void add(const float* a, const float* b, float* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] = a[i] + b[i];
}

// a, b and sum: n floats each, in host memory; n is at least 1.
void add_on_device(const float* a, const float* b, float* sum, int n) {
  // BEGIN YOUR CODE
  const size_t bytes = n * sizeof(float);
  float* device_a = nullptr;
  float* device_b = nullptr;
  float* device_sum = nullptr;
  cudaMalloc(&device_a, bytes);
  cudaMalloc(&device_b, bytes);
  cudaMalloc(&device_sum, bytes);

  cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice);

  const int threads = 256;
  add<<<(n + threads - 1) / threads, threads>>>(device_a, device_b, device_sum, n);

  cudaMemcpy(sum, device_sum, bytes, cudaMemcpyDeviceToHost);

  cudaFree(device_a);
  cudaFree(device_b);
  cudaFree(device_sum);
  // END YOUR CODE
}

int main() {
  const float a[3] = {1, 2, 3};
  const float b[3] = {10, 20, 30};
  float sum[3] = {};
  add_on_device(a, b, sum, 3);
  std::printf("%g %g %g\n", sum[0], sum[1], sum[2]);
}
