// Exercise 01_pinned: an array through the device, with one wait.
//
//   y[i] = a * x[i] + b
//
// x and y are pageable memory, as from new or std::vector. A copy engine cannot read that by
// itself. Put page-locked memory between them and the device, and let the host wait once.
//
// Build and check it: ./learn run ch09/01. The main below is for you: the check does not call it;
//   ./learn sim exercises/ch09_streams_and_graphs/01_pinned.cu
#include <cstdio>
#include <cstring>

// One thread for each element; blocks of any size, at least n threads in all.
__global__ void line(const float* x, float* y, int n, float a, float b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + b;
}

// x, y: n floats each, in pageable host memory; n is at least 1.
void line_on_device(const float* x, float* y, int n, float a, float b) {
  // BEGIN YOUR CODE
  const size_t bytes = n * sizeof(float);
  float *pinned_x, *pinned_y, *device_x, *device_y;
  cudaStream_t stream;
  cudaMallocHost(&pinned_x, bytes);
  cudaMallocHost(&pinned_y, bytes);
  cudaMalloc(&device_x, bytes);
  cudaMalloc(&device_y, bytes);
  cudaStreamCreate(&stream);

  std::memcpy(pinned_x, x, bytes);
  cudaMemcpyAsync(device_x, pinned_x, bytes, cudaMemcpyHostToDevice, stream);
  line<<<(n + 255) / 256, 256, 0, stream>>>(device_x, device_y, n, a, b);
  cudaMemcpyAsync(pinned_y, device_y, bytes, cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  std::memcpy(y, pinned_y, bytes);

  cudaStreamDestroy(stream);
  cudaFree(device_x);
  cudaFree(device_y);
  cudaFreeHost(pinned_x);
  cudaFreeHost(pinned_y);
  // END YOUR CODE
}

int main() {
  const float x[3] = {1, 2, 3};
  float y[3] = {};
  line_on_device(x, y, 3, 2, 1);
  std::printf("%g %g %g\n", y[0], y[1], y[2]);
}
