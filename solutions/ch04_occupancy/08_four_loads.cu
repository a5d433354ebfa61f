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
__global__ void signed_squares(const float* x, float* y, int n) {
  const int threads = gridDim.x * blockDim.x;
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  float value[4];
  // No store yet, so no load has to wait for one.
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    if (first + k * threads < n) value[k] = x[first + k * threads];
  }
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    if (first + k * threads < n) y[first + k * threads] = value[k] * fabsf(value[k]);
  }
}
// END YOUR CODE
