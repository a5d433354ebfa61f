// Exercise 06_block_sum: the sum of each row, by a whole block.
//
//   sums[row] = sum of x[row][0] to x[row][columns - 1]
//
// x: rows * columns floats, row-major; sums: rows floats; in device memory. A block takes a row,
// then the one gridDim.x further, and so on:
//   blockDim = 256: eight warps
//   gridDim  = any number of blocks, fewer than there are rows
// Every number of rows and columns must work. Build and check it: ./learn run ch05/06

/// The sum of a warp's values, in every lane.
__device__ float warp_sum(float value) {
  for (int distance = 16; distance > 0; distance /= 2) {
    value += __shfl_xor_sync(0xFFFFFFFF, value, distance);
  }
  return value;
}

__global__ void block_sum(const float* x, float* sums, int rows, int columns) {
  __shared__ float partial[8];  // one for each warp
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    const float* in = x + static_cast<size_t>(row) * columns;
    // BEGIN YOUR CODE
    // Your code here.
    // END YOUR CODE
  }
}
