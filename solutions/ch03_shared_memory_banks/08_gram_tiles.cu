// Exercise 08_gram_tiles: C = A A^T by tiles of 16 x 16.
//
//   c[row][column] = a[row][0] * a[column][0] + ... + a[row][K - 1] * a[column][K - 1]
//
// a: M * K floats, c: M * M floats, row-major, in device memory.
//   blockDim = (16, 16), gridDim = (M / 16, M / 16), each rounded up: a block for each tile of c
// Load each tile once into shared memory, along the rows of a; use it without bank conflicts.
// Build and check it: ./learn run ch03/08
__global__ void gram_tiles(const float* a, float* c, int M, int K) {
  // BEGIN YOUR CODE
  __shared__ float left[16][16];
  // Read down a column below: one word more, so that the rows begin in different banks.
  __shared__ float right[16][17];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * 16 + y;
  const int other =
      blockIdx.x * 16 + y;  // The row of a that this thread brings for the right tile.
  float sum = 0;
  for (int begin = 0; begin < K; begin += 16) {
    const bool inside = begin + x < K;
    left[y][x] = inside && row < M ? a[row * K + begin + x] : 0.0F;
    right[y][x] = inside && other < M ? a[other * K + begin + x] : 0.0F;
    __syncthreads();  // Both tiles are there.
    for (int k = 0; k < 16; ++k) sum += left[y][k] * right[x][k];
    __syncthreads();  // Both tiles have been used.
  }
  const int column = blockIdx.x * 16 + x;
  if (row < M && column < M) c[row * M + column] = sum;
  // END YOUR CODE
}
