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
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;  // The whole warp leaves: no shuffle misses a lane.
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;

  float before = 0;  // the sum of all columns before this turn's 32
  for (int first = 0; first < columns; first += 32) {
    const int column = first + lane;
    float sum = column < columns ? in[column] : 0;
    for (int distance = 1; distance < 32; distance *= 2) {
      const float lower = __shfl_up_sync(0xFFFFFFFF, sum, distance);
      if (lane >= distance) sum += lower;
    }
    sum += before;
    if (column < columns) out[column] = sum;
    before = __shfl_sync(0xFFFFFFFF, sum, 31);
  }
  // END YOUR CODE
}
