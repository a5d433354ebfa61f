// Exercise 01_wmma_tile: many small products, a warp for each, on tensor cores.
//
//   c[i] = a[i] * b[i]      for i = 0 to products - 1
//
// a[i]: 16 x K halfs, b[i]: K x 16 halfs, c[i]: 16 x 16 floats; all row-major, in device memory,
// one product after the other without gaps. K is a multiple of 16. One warp takes one product:
//   blockDim = (32, 4): threadIdx.x is the lane, threadIdx.y the warp of the block
//   gridDim  = products / 4, rounded up
// Build and check it: ./learn run ch06/01
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

__global__ void wmma_tile(const __half* a, const __half* b, float* c, int products, int K) {
  // BEGIN YOUR CODE
  // Your code here.
  // END YOUR CODE
}
