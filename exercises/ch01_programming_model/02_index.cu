// Exercise 02_index: the square of each element.
//
//   y[i] = x[i] * x[i]
//
// x and y: n floats in device memory. One thread takes one element, and here there are exactly as
// many threads as elements:
//   blockDim = 64
//   gridDim  = n / 64
// Build and check it: ./learn run ch01/02
__global__ void square(const float* x, float* y, int n) {
  // BEGIN YOUR CODE
  // Your code here.
  // END YOUR CODE
}
