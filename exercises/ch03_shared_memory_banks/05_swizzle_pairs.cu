// Exercise 05_swizzle_pairs: transpose a matrix of complex numbers through a tile without padding.
//
//   y[column][row] = x[row][column]
//
// x: rows * columns float2, row-major; y: columns * rows float2, row-major; in device memory.
//   blockDim = (32, 8), gridDim = (columns / 32, rows / 32), each rounded up: a block for each tile
// `tile` has room for 32 * 32 elements, and no more. Both sides of global memory see whole sectors,
// and no request of shared memory has a bank conflict. Build and check it: ./learn run ch03/05
__global__ void transpose_pairs(const float2* x, float2* y, int rows, int columns) {
  extern __shared__ float2 tile[];
  // BEGIN YOUR CODE
  // Your code here.
  // END YOUR CODE
}
