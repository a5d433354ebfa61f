// Exercise 01_scale_columns: multiply each column of x by a factor of its own.
//
//   y[row][column] = x[row][column] * factor[column]
//
// x and y: rows * columns floats, row-major; factor: columns floats; all in device memory.
//   blockDim = 256, gridDim = rows * columns / 256, rounded up: one thread for each element
// Which thread takes which element is yours to choose. Build and check it: ./learn run ch02/01
__global__ void scale_columns(const float* x, const float* factor, float* y, int rows,
                              int columns) {
  // BEGIN YOUR CODE
  // Your code here.
  // END YOUR CODE
}
