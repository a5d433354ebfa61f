// Exercise 03_column_sums: the sum of each column of a matrix that is stored column by column.
//
//   y[column] = x[column * 32] + x[column * 32 + 1] + ... + x[column * 32 + 31]
//
// x: `columns` columns of 32 floats, one behind the other; y: `columns` floats; in device memory.
//   blockDim = 32, gridDim = columns / 32, rounded up: a warp takes 32 columns, a thread adds one
// Load whole sectors into shared memory, then add without bank conflicts.
// Build and check it: ./learn run ch03/03
__global__ void column_sums(const float* x, float* y, int columns) {
  // BEGIN YOUR CODE
  // Your code here.
  // END YOUR CODE
}
