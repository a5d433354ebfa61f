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
  // Your code here.
  // END YOUR CODE
}
