// Exercise 08_bug_pitch: the rows of a padded matrix, doubled into a dense one. Find the bug.
//
//   y[row][column] = 2 * x[row][column]
//
// x: rows of `columns` floats that begin `pitch` bytes apart, as cudaMallocPitch gives them;
// y: rows * columns floats, row-major; in device memory.
//   blockDim = (32, 8); gridDim = (columns / 32, rows / 8), rounded up
// Every size must work. Build and check it: ./learn run ch02/08
__global__ void double_rows(const float* x, size_t pitch, float* y, int rows, int columns) {
  // BEGIN YOUR CODE
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows || c >= columns) return;
  const char* bytes = reinterpret_cast<const char*>(x) + r * pitch;
  const float* row = reinterpret_cast<const float*>(bytes);
  y[static_cast<size_t>(r) * columns + c] = 2 * row[c];
  // END YOUR CODE
}
