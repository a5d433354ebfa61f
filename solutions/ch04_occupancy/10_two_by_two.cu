// Exercise 10_two_by_two: squared distances of all pairs of rows, four results per thread.
//
//   y[i][j] = sum over k of (a[i][k] - b[j][k])^2
//
// a: m * length floats, b: n * length floats, y: m * n floats; row-major, in device memory.
//   blockDim = (16, 16), for 32 x 32 results; gridDim = (n / 32, m / 32), rounded up
// Every m, n and length must work. Build and check it: ./learn run ch04/10
__global__ void distances(const float* a, const float* b, float* y, int m, int n, int length) {
  // BEGIN YOUR CODE
  __shared__ float tile_a[16][34], tile_b[16][34];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 32, column = blockIdx.x * 32;
  float s00 = 0, s01 = 0, s10 = 0, s11 = 0;
  for (int first = 0; first < length; first += 16) {
    for (int r = ty; r < 32; r += 16) {
      const int k = first + tx;
      const bool in_a = row + r < m && k < length, in_b = column + r < n && k < length;
      tile_a[tx][r] = in_a ? a[static_cast<size_t>(row + r) * length + k] : 0;
      tile_b[tx][r] = in_b ? b[static_cast<size_t>(column + r) * length + k] : 0;
    }
    __syncthreads();
    for (int k = 0; k < 16; ++k) {
      const float a0 = tile_a[k][ty], a1 = tile_a[k][ty + 16];
      const float b0 = tile_b[k][tx], b1 = tile_b[k][tx + 16];
      s00 += (a0 - b0) * (a0 - b0);
      s01 += (a0 - b1) * (a0 - b1);
      s10 += (a1 - b0) * (a1 - b0);
      s11 += (a1 - b1) * (a1 - b1);
    }
    __syncthreads();
  }
  const int i0 = row + ty, i1 = row + ty + 16, j0 = column + tx, j1 = column + tx + 16;
  if (i0 < m && j0 < n) y[static_cast<size_t>(i0) * n + j0] = s00;
  if (i0 < m && j1 < n) y[static_cast<size_t>(i0) * n + j1] = s01;
  if (i1 < m && j0 < n) y[static_cast<size_t>(i1) * n + j0] = s10;
  if (i1 < m && j1 < n) y[static_cast<size_t>(i1) * n + j1] = s11;
  // END YOUR CODE
}
