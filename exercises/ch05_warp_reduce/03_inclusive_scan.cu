// Exercise 03_inclusive_scan: running sums of each row.
//
//   y[row][column] = x[row][0] + ... + x[row][column]
//
// x and y: rows * columns floats, row-major, in device memory. One warp takes one row:
//   blockDim = (32, 4): threadIdx.x is the lane, threadIdx.y the warp of the block
//   gridDim  = rows / 4, rounded up
// Every number of columns must work. Build and check it: ./learn run ch05/03
__global__ void inclusive_scan(const float* x, float* y, int rows, int columns) {
  // BEGIN YOUR CODE
  // Your code here.
  // END YOUR CODE
}
