// Exercise 10_bug_square: a bias for each column of each matrix of a batch. Find the bug.
//
//   y[b][r][c] = x[b][r][c] + bias[c]
//
// x and y: batches * rows * columns floats, row-major; bias: columns floats; in device memory.
//   blockDim = (32, 8)
//   gridDim  = (columns / 32, rows / 8, batches), the first two rounded up
// Every size must work; rows and columns differ. Build and check it: ./learn run ch01/10
__global__ void batch_bias(const float* x, const float* bias, float* y, int batches, int rows,
                           int columns) {
  // BEGIN YOUR CODE
  const int b = blockIdx.z;
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows || c >= columns) return;
  const float element = x[(static_cast<size_t>(b) * rows + r) * columns + c];
  y[(static_cast<size_t>(b) * rows + r) * columns + c] = element + bias[c];
  // END YOUR CODE
}
