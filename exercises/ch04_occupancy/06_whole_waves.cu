// Exercise 06_whole_waves: the launch of a kernel that is right with any number of blocks.
//
//   y[i] = 3 * x[i]
//
// The grid shall be what the GPU holds at once, one full wave, or less where n is small.
//   blocks of 192 threads, each with `bytes` bytes of dynamic shared memory
// Build and check it: ./learn run ch04/06. The main below is for you: the check does not call it;
//   ./learn sim exercises/ch04_occupancy/06_whole_waves.cu
#include <algorithm>
#include <cstdio>

// Each block reserves dynamic shared memory, as a kernel with tables would. This one has none.
__global__ void scale(const float* x, float* y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    y[i] = 3 * x[i];
  }
}

// x and y: n floats each, in host memory; n is at least 1, bytes at most 48000.
void scale_on_device(const float* x, float* y, int n, int bytes) {
  float *device_x = nullptr, *device_y = nullptr;
  cudaMalloc(&device_x, n * sizeof(float));
  cudaMalloc(&device_y, n * sizeof(float));
  cudaMemcpy(device_x, x, n * sizeof(float), cudaMemcpyHostToDevice);
  // BEGIN YOUR CODE
  // Your code here.
  // END YOUR CODE
  cudaMemcpy(y, device_y, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(device_x);
  cudaFree(device_y);
}

int main() {
  const float x[3] = {1, 2, 3};
  float y[3] = {};
  scale_on_device(x, y, 3, 24000);
  std::printf("%g %g %g\n", y[0], y[1], y[2]);
}
