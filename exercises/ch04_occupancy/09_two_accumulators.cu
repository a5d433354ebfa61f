// Exercise 09_two_accumulators: a weighted sum of rows, in two chains.
//
//   y[column] = sum over the rows of w[row] * x[row][column]
//
// x: rows * columns floats, row-major, w: rows floats, y: columns floats, all in device memory.
//   blockDim = 128, gridDim = columns / 128, rounded up: a thread takes one column
// One sum is one chain: each addition waits for the one before. Keep two sums in each thread, one
// of the even rows and one of the odd rows, and add them at the end. The numbers of the check are
// such that a single sum rounds away what two sums keep. Any number of rows, even or odd, and of
// columns must work. Build and check it: ./learn run ch04/09
__global__ void weighted_rows(const float* x, const float* w, float* y, int rows, int columns) {
  // BEGIN YOUR CODE
  // Your code here.
  // END YOUR CODE
}
