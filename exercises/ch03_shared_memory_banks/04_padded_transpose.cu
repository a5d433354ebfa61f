// Exercise 04_padded_transpose: a matrix with a factor for each row, turned.
//
//   out[column][row] = scale[row] * x[row][column]
//
// x: rows * columns floats, row-major; out: columns * rows floats, row-major; scale: rows floats;
// all in device memory. A block takes a tile of 32 x 32 of x:
//   blockDim = (32, 8); gridDim = (columns / 32, rows / 32), rounded up
// Build and check it: ./learn run ch03/04
__global__ void scaled_transpose(const float* x, const float* scale, float* out, int rows,
                                 int columns) {
  // BEGIN YOUR CODE
  // Your code here.
  // END YOUR CODE
}
