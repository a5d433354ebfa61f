// Exercise 05_l2_normalise: bring each row of x to length 1, reading it once.
//
//   y[row][column] = x[row][column] / sqrt(sum of the row's squares)
//
// A row of zeros stays zeros; the sum of every other row's squares is a float above 0. x and y:
// rows * columns floats, row-major, in device memory; columns is at most 256. One warp takes one
// row:
//   blockDim = (32, 4): threadIdx.x is the lane, threadIdx.y the warp of the block
//   gridDim  = rows / 4, rounded up
// Build and check it: ./learn run ch05/05
__global__ void l2_normalise(const float* x, float* y, int rows, int columns) {
  // BEGIN YOUR CODE
  // Your code here.
  // END YOUR CODE
}
