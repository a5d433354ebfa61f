// Exercise 02_butterfly: scale each row of x to the range from 0 to 1.
//
//   y[row][column] = (x[row][column] - smallest of row) / (largest of row - smallest of row)
//
// A row whose numbers are all the same becomes zeros. x and y: rows * columns floats, row-major, in
// device memory. One warp takes one row:
//   blockDim = (32, 4): threadIdx.x is the lane, threadIdx.y the warp of the block
//   gridDim  = rows / 4, rounded up
// Every number of columns must work. Build and check it: ./learn run ch05/02
__global__ void butterfly(const float* x, float* y, int rows, int columns) {
  // BEGIN YOUR CODE
  // Your code here.
  // END YOUR CODE
}
