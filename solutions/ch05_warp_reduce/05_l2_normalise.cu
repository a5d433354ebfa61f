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
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;  // The whole warp leaves: no shuffle misses a lane.
  const float* in = x + static_cast<size_t>(row) * columns;
  float* out = y + static_cast<size_t>(row) * columns;

  float kept[8];  // 8 * 32 columns; unrolled, so that these are registers.
  float squares = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int column = i * 32 + lane;
    kept[i] = column < columns ? in[column] : 0;
    squares += kept[i] * kept[i];
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    squares += __shfl_xor_sync(0xFFFFFFFF, squares, distance);
  }
  const float scale = squares > 0 ? 1 / sqrtf(squares) : 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int column = i * 32 + lane;
    if (column < columns) out[column] = kept[i] * scale;
  }
  // END YOUR CODE
}
