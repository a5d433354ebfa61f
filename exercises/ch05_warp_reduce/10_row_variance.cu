// Exercise 10_row_variance: the variance of each row of x.
//
//   y[row] = mean of (x[row][column] - mean of the row)^2 over all columns
//
// x: rows * columns floats, row-major, in device memory. y: rows floats. One warp takes one row:
//   blockDim = (32, 4): threadIdx.x is the lane, threadIdx.y the warp of the block
//   gridDim  = rows / 4, rounded up
// Every number of columns must work, and rows whose numbers are close to each other but far from
// zero. Build and check it: ./learn run ch05/10
__global__ void row_variance(const float* x, float* y, int rows, int columns) {
  // BEGIN YOUR CODE
  // Your code here.
  // END YOUR CODE
}
