// Exercise 01_rotate_segments: rotate each segment of 256 numbers.
//
//   y[begin + j] = x[begin + (j + shift) % m]    for j = 0 .. m - 1
//
// where begin is 0, 256, 512, ... and m is 256, or less in the last segment.
// x and y: n floats in device memory; shift >= 0.
//   blockDim = 256, gridDim = n / 256, rounded up: one block for each segment
// Through shared memory: load each number once. Build and check it: ./learn run ch03/01
__global__ void rotate_segments(const float* x, float* y, int n, int shift) {
  // BEGIN YOUR CODE
  // Your code here.
  // END YOUR CODE
}
