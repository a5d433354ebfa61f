// Exercise 09_rmsnorm: RMSNorm, as language models use it in place of LayerNorm.
//
//   y[row][column] = x[row][column] / sqrt(mean of the row's squares + 1e-5) * weight[column]
//
// x and y: rows * columns floats, row-major; weight: columns floats; in device memory, 16-byte
// aligned. columns is a multiple of 4. One warp takes one row:
//   blockDim = (32, 4): threadIdx.x is the lane, threadIdx.y the warp of the block
//   gridDim  = rows / 4, rounded up
// Build and check it: ./learn run ch05/09
__global__ void rmsnorm(const float* x, const float* weight, float* y, int rows, int columns) {
  // BEGIN YOUR CODE
  // Your code here.
  // END YOUR CODE
}
