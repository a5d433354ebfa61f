// Exercise 03_guard: how far is it to the neighbour on the right?
//
//   y[i] = x[i + 1] - x[i]      and 0 for the last element, which has no such neighbour
//
// x and y: n floats in device memory, n at least 1. One thread takes one element:
//   blockDim = 128
//   gridDim  = n / 128, rounded up
// Build and check it: ./learn run ch01/03
__global__ void steps(const float* x, float* y, int n) {
  // BEGIN YOUR CODE
  // Your code here.
  // END YOUR CODE
}
