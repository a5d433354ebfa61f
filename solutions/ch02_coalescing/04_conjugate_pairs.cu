// Exercise 04_conjugate_pairs: complex numbers from their parts, conjugated.
//
//   y[2 * i] = real[i],  y[2 * i + 1] = -imaginary[i]
//
// real and imaginary: n floats each; y: 2 * n floats, on an 8-byte boundary; all in device memory.
//   blockDim = 256, gridDim = n / 256, rounded up: one thread for each complex number
// Build and check it: ./learn run ch02/04
__global__ void conjugate_pairs(const float* real, const float* imaginary, float* y, int n) {
  // BEGIN YOUR CODE
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  // Both parts in one 8-byte store: a warp writes 256 neighbouring bytes at once.
  reinterpret_cast<float2*>(y)[i] = make_float2(real[i], -imaginary[i]);
  // END YOUR CODE
}
