// Exercise 01_gated_gelu: half of each row, activated, times the other half.
//
//   y[row][i] = gelu(a[i]) * b[i],   i < columns
//
// x: rows * 2 * columns floats, row-major, in device memory. The first half of a row is a, the
// second is b. y: rows * columns floats. gelu is GPT-2's form,
//   gelu(v) = 0.5 v (1 + tanh(sqrt(2 / pi) (v + 0.044715 v^3)))
// columns is a multiple of 4, and x and y begin at multiples of 16 bytes. The launch is fixed:
//   blockDim = 128, a thread per four columns of y
//   gridDim  = rows * columns / 4 / 128, rounded up
// Build and check it: ./learn run ch07/01
__global__ void gated_gelu(const float* x, float* y, int rows, int columns) {
  // BEGIN YOUR CODE
  // Your code here.
  // END YOUR CODE
}
