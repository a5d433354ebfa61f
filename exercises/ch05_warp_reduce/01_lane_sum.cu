// Exercise 01_lane_sum: subtract from each row of x its mean.
//
//   y[row][column] = x[row][column] - (sum of row) / columns
//
// x and y: rows * columns floats, row-major, in device memory. One warp takes one row:
//   blockDim = (32, 4): threadIdx.x is the lane, threadIdx.y the warp of the block
//   gridDim  = rows / 4, rounded up
// Every number of columns must work. Build and check it: ./learn run ch05/01
__global__ void lane_sum(const float* x, float* y, int rows, int columns) {
  // BEGIN YOUR CODE
  // Your code here.
  // END YOUR CODE
}
