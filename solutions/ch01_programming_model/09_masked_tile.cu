// Exercise 09_masked_tile: add a product of two vectors to a matrix, tile by tile.
//
//   y[row][column] = x[row][column] + u[row] * v[column]
//
// x and y: rows * columns floats, row-major; u: rows floats; v: columns floats; in device memory.
// One block takes one tile of 32 x 32 elements, with 256 threads, four elements for each:
//   blockDim = (32, 8)
//   gridDim  = columns / 32, rows / 32, each rounded up
// Build and check it: ./learn run ch01/09
__global__ void add_outer(const float* x, const float* u, const float* v, float* y, int rows,
                          int columns) {
  // BEGIN YOUR CODE
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int i = threadIdx.y; i < 32; i += 8) {
    const int row = blockIdx.y * 32 + i;
    const bool mask = row < rows && column < columns;
    if (mask) y[row * columns + column] = x[row * columns + column] + u[row] * v[column];
  }
  // END YOUR CODE
}
