// Exercise 08_product: a linear layer, with weights as PyTorch stores them.
//
//   y[row][column] = bias[column] + sum over i of x[row][i] * w[column][i]
//
// x: rows * inner floats, w: columns * inner, bias: columns, y: rows * columns; row-major, in
// device memory. A row of w holds the weights of one column of y. A thread takes one element of y:
//   blockDim = (16, 8)
//   gridDim  = columns / 16, rows / 8, each rounded up
// Build and check it: ./learn run ch01/08
__global__ void linear(const float* x, const float* w, const float* bias, float* y, int rows,
                       int inner, int columns) {
  // BEGIN YOUR CODE
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= rows || column >= columns) return;
  float sum = bias[column];
  for (int i = 0; i < inner; ++i) sum += x[row * inner + i] * w[column * inner + i];
  y[row * columns + column] = sum;
  // END YOUR CODE
}
