// Exercise 02_running_mean: a mean whose weights are known only when the row has been read.
//
//   y[row] = sum of w[i] * values[row][i] / sum of w[i],   w[i] = exp(scores[row][i])
//
// scores, values: rows * columns floats, row-major, in device memory. y: rows floats. Scores go
// from -10000 to 10000, so exp(score) alone is no float; the largest score of the row has to be
// subtracted. Read each score and each value once. One warp takes one row:
//   blockDim = (32, 4): threadIdx.x is the lane, threadIdx.y the warp of the block
//   gridDim  = rows / 4, rounded up
// Every number of columns must work, also fewer than 32.
// Build and check it: ./learn run ch07/02
#include <cfloat>
__global__ void running_mean(const float* scores, const float* values, float* y, int rows,
                             int columns) {
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* score = scores + static_cast<size_t>(row) * columns;
  const float* value = values + static_cast<size_t>(row) * columns;
  float mean = 0;
  // BEGIN YOUR CODE
  float m = -FLT_MAX, l = 0, o = 0;
  for (int i = lane; i < columns; i += 32) {
    const float larger = fmaxf(m, score[i]);
    const float factor = expf(m - larger), weight = expf(score[i] - larger);
    l = l * factor + weight;
    o = o * factor + weight * value[i];
    m = larger;
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    const float other_m = __shfl_xor_sync(0xFFFFFFFF, m, distance);
    const float other_l = __shfl_xor_sync(0xFFFFFFFF, l, distance);
    const float other_o = __shfl_xor_sync(0xFFFFFFFF, o, distance);
    const float both = fmaxf(m, other_m);
    l = l * expf(m - both) + other_l * expf(other_m - both);
    o = o * expf(m - both) + other_o * expf(other_m - both);
    m = both;
  }
  mean = o / l;
  // END YOUR CODE
  if (lane == 0) y[row] = mean;
}
