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
  __shared__ int counts[256];
  for (int symbol = threadIdx.x; symbol < 256; symbol += blockDim.x) counts[symbol] = 0;
  __syncthreads();

  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&counts[x[i]], 1);
  }

  __syncthreads();
  for (int symbol = threadIdx.x; symbol < 256; symbol += blockDim.x) {
    y[blockIdx.x * 256 + symbol] = counts[symbol];
  }
  // END YOUR CODE
}
