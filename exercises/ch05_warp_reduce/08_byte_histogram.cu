// Exercise 08_byte_histogram: how often each byte occurs, counted by several blocks.
//
//   y[block * 256 + value] = how many of the bytes that the block takes have this value
//
// x: n bytes in device memory. y: 256 floats for each block. The blocks share the bytes in
// grid-stride order:
//   blockDim = 128, gridDim = 8. Thread t of block b takes bytes b * 128 + t, and then every 1024th
// Every n must work. Build and check it: ./learn run ch05/08
__global__ void byte_histogram(const unsigned char* x, float* y, int n) {
  // BEGIN YOUR CODE
  // Your code here.
  // END YOUR CODE
}
