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
// Your code here.
// END YOUR CODE
