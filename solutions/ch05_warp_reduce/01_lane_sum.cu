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
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;  // The whole warp leaves: no shuffle misses a lane.
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;

  float sum = 0;
  for (int column = lane; column < columns; column += 32) sum += in[column];
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_xor_sync(0xFFFFFFFF, sum, distance);
  }

  const float mean = sum / columns;
  for (int column = lane; column < columns; column += 32) out[column] = in[column] - mean;
  // END YOUR CODE
}
