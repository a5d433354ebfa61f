// Exercise 02_clamp_float4: keep each number between two bounds, four numbers at a time.
//
//   y[i] = x[i] below low ? low : x[i] above high ? high : x[i]
//
// x and y: n floats in device memory; both begin on a 16-byte boundary.
//   blockDim = 256, gridDim = n / 4 / 256, each quotient rounded up: one thread for each four
//   numbers
// n need not be a multiple of 4. No number of x is a NaN. Build and check it: ./learn run ch02/02
__global__ void clamp_float4(const float* x, float* y, int n, float low, float high) {
  // BEGIN YOUR CODE
  // Your code here.
  // END YOUR CODE
}
