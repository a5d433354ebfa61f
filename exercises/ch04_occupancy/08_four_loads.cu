// Exercise 08_four_loads: signed squares, with four loads of a thread in flight.
//
//   y[i] = x[i] * |x[i]|
//
// x: n floats that begin one float after a boundary of 16 bytes, y: n floats; in device memory.
//   blockDim = 128; gridDim = n / 512, rounded up: a thread has up to four numbers
// Neighbouring threads take neighbouring numbers, and a thread's next number is a whole grid away.
// Every n must work. Build and check it: ./learn run ch04/08
//
// Write the whole kernel, with its first line; these are its name and parameters:
//   signed_squares(const float* x, float* y, int n)

// BEGIN YOUR CODE
// Your code here.
// END YOUR CODE
