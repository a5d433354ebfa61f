// Exercise 04_long_scan: the running sums of an array of any length.
//
//   y[i] = x[0] + x[1] + ... + x[i]
//
// The kernels are there, for blocks of 256 numbers. What is missing is how they are put together.
//
// Build and check it: ./learn run ch05/04. The main below is for you: the check does not call it;
//   ./learn sim exercises/ch05_warp_reduce/04_long_scan.cu
#include <cstdio>

// Running sums within each block of 256 numbers, in place. sums: one number per block, the sum of
// all its numbers. blockDim = 256; gridDim = n / 256, rounded up.
__global__ void scan_block(float* x, float* sums, int n) {
  __shared__ float of_warp[8];
  const int i = blockIdx.x * 256 + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float sum = i < n ? x[i] : 0;
  for (int d = 1; d < 32; d *= 2) {
    const float before = __shfl_up_sync(0xFFFFFFFF, sum, d);
    if (lane >= d) sum += before;
  }
  if (lane == 31) of_warp[warp] = sum;
  __syncthreads();
  for (int w = 0; w < warp; ++w) sum += of_warp[w];
  if (i < n) x[i] = sum;
  if (threadIdx.x == 255) sums[blockIdx.x] = sum;
}

// Adds offsets[b - 1] to each number of block b; block 0 stays. The same launch as scan_block.
__global__ void add_offset(float* x, const float* offsets, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (blockIdx.x > 0 && i < n) x[i] += offsets[blockIdx.x - 1];
}

// Running sums of n floats in device memory, in place; n is at least 1.
void scan(float* x, int n) {
  // BEGIN YOUR CODE
  // Your code here.
  // END YOUR CODE
}

// x and y: n floats each, in host memory.
void running_sums(const float* x, float* y, int n) {
  float* device = nullptr;
  cudaMalloc(&device, n * sizeof(float));
  cudaMemcpy(device, x, n * sizeof(float), cudaMemcpyHostToDevice);
  scan(device, n);
  cudaMemcpy(y, device, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(device);
}

int main() {
  const float x[3] = {1, 2, 3};
  float y[3] = {};
  running_sums(x, y, 3);
  std::printf("%g %g %g\n", y[0], y[1], y[2]);
}
