// Exercise 11_log_sum_exp: the logarithm of the sum of exponentials of each row, in one pass.
//
//   y[row] = log(sum of exp(x[row][column]) over all columns)
//
// x: rows * columns floats, row-major, in device memory; no row is -infinity as a whole, some
// numbers are. y: rows floats. One warp takes one row:
//   blockDim = (32, 4): threadIdx.x is the lane, threadIdx.y the warp of the block
//   gridDim  = rows / 4, rounded up
// Every number of columns must work, and numbers whose exponential is no float.
// Build and check it: ./learn run ch05/11
#include <cfloat>
__global__ void log_sum_exp(const float* x, float* y, int rows, int columns) {
  // BEGIN YOUR CODE
  // Your code here.
  // END YOUR CODE
}
