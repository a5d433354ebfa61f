// Exercise 04_flatten_3d: the first two dimensions of a tensor change places.
//
//   y[n][b][d] = x[b][n][d]
//
// x: batches * rows * width floats, y: rows * batches * width floats, both row-major, in device
// memory. One thread takes one element:
//   blockDim = (32, 4, 2)
//   gridDim  = width / 32, rows / 4, batches / 2, each rounded up
// so x runs over d, y over n and z over b. Build and check it: ./learn run ch01/04
__global__ void swap_first_two(const float* x, float* y, int batches, int rows, int width) {
  // BEGIN YOUR CODE
  // Your code here.
  // END YOUR CODE
}
