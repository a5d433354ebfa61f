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
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;

  float sum = 0;
  for (int column = lane; column < columns; column += 32) sum += in[column];
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_xor_sync(0xFFFFFFFF, sum, distance);
  }
  const float mean = sum / columns;

  float squares = 0;
  for (int column = lane; column < columns; column += 32) {
    const float difference = in[column] - mean;
    squares += difference * difference;
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    squares += __shfl_xor_sync(0xFFFFFFFF, squares, distance);
  }
  if (lane == 0) y[row] = squares / columns;
  // END YOUR CODE
}
