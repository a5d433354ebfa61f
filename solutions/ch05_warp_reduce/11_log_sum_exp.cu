// Exercise 11_log_sum_exp: the logarithm of the sum of exponentials of each row, in one pass.
//
//   y[row] = log(sum of exp(x[row][column]) over all columns)
//
// x: rows * columns floats, row-major, in device memory; no row is -infinity as a whole, some
// numbers are. y: rows floats. One warp takes one row:
//   blockDim = (32, 4): threadIdx.x is the lane, threadIdx.y the warp of the block
//   gridDim  = rows / 4, rounded up
// Every number of columns must work, and numbers whose exponential is no float.
// Build and check it: ./learn run ch05/11
#include <cfloat>
__global__ void log_sum_exp(const float* x, float* y, int rows, int columns) {
  // BEGIN YOUR CODE
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* in = x + static_cast<size_t>(row) * columns;

  float largest = -FLT_MAX, sum = 0;
  for (int column = lane; column < columns; column += 32) {
    const float value = in[column];
    const float before = largest;
    largest = fmaxf(largest, value);
    sum = sum * expf(before - largest) + expf(value - largest);
  }

  for (int distance = 16; distance > 0; distance /= 2) {
    const float other_largest = __shfl_xor_sync(0xFFFFFFFF, largest, distance);
    const float other_sum = __shfl_xor_sync(0xFFFFFFFF, sum, distance);
    const float both = fmaxf(largest, other_largest);
    sum = sum * expf(largest - both) + other_sum * expf(other_largest - both);
    largest = both;
  }

  if (lane == 0) y[row] = largest + logf(sum);
  // END YOUR CODE
}
