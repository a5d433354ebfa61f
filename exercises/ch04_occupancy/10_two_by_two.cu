// Exercise 10_two_by_two: squared distances of all pairs of rows, four results per thread.
//
//   y[i][j] = sum over k of (a[i][k] - b[j][k])^2
//
// a: m * length floats, b: n * length floats, y: m * n floats; row-major, in device memory.
//   blockDim = (16, 16), for 32 x 32 results; gridDim = (n / 32, m / 32), rounded up
// Every m, n and length must work. Build and check it: ./learn run ch04/10
__global__ void distances(const float* a, const float* b, float* y, int m, int n, int length) {
  // BEGIN YOUR CODE
  // Your code here.
  // END YOUR CODE
}
