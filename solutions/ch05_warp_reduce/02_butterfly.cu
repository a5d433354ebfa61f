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
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;  // The whole warp leaves: no shuffle misses a lane.
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;

  // A lane without a column starts with numbers that change nothing.
  float smallest = INFINITY, largest = -INFINITY;
  for (int column = lane; column < columns; column += 32) {
    smallest = fminf(smallest, in[column]);
    largest = fmaxf(largest, in[column]);
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    smallest = fminf(smallest, __shfl_xor_sync(0xFFFFFFFF, smallest, distance));
    largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFF, largest, distance));
  }

  const float range = largest > smallest ? largest - smallest : 1;
  for (int column = lane; column < columns; column += 32) {
    out[column] = (in[column] - smallest) / range;
  }
  // END YOUR CODE
}
