// Exercise 02_widest_neighbour: the largest of each number and its two neighbours on either side.
//
//   y[i] = max(x[i - 2], x[i - 1], x[i], x[i + 1], x[i + 2])
//
// Where a neighbour lies outside the array, the number at the edge stands for it.
// x and y: n floats in device memory, no NaN among them.
//   blockDim = 256, gridDim = n / 256, rounded up: one thread for each number
// Through shared memory: a tile of 256 numbers and a halo. Build and check it: ./learn run ch03/02
__global__ void widest_neighbour(const float* x, float* y, int n) {
  // BEGIN YOUR CODE
  // Your code here.
  // END YOUR CODE
}
