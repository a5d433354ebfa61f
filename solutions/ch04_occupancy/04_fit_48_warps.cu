// Exercise 04_fit_48_warps: 48 sums per row, in a kernel of which an SM holds 48 warps.
//
//   y[j][row] = sum over k of x[k][row] * w[k][j]     for j from 0 to 47
//
// x: length * rows floats, w: length * 48 floats, y: 48 * rows floats; row-major, in device memory.
//   blockDim = 256; gridDim = rows / 256, rounded up
// Every number of rows and every length must work. Build and check it: ./learn run ch04/04
//
// Write the whole kernel, with its first line; these are its name and parameters:
//   sums_48(const float* x, const float* w, float* y, int rows, int length)

// BEGIN YOUR CODE
__global__ void __launch_bounds__(256, 6)
    sums_48(const float* x, const float* w, float* y, int rows, int length) {
  const int row = blockIdx.x * 256 + threadIdx.x;
  if (row >= rows) return;
  for (int first = 0; first < 48; first += 24) {
    float sum[24] = {};
    for (int k = 0; k < length; ++k) {
      const float number = x[static_cast<size_t>(k) * rows + row];
      for (int j = 0; j < 24; ++j) sum[j] += number * w[static_cast<size_t>(k) * 48 + first + j];
    }
    for (int j = 0; j < 24; ++j) y[static_cast<size_t>(first + j) * rows + row] = sum[j];
  }
}
// END YOUR CODE
