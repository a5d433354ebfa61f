// Exercise 06_two_stages: turn pieces of 512 floats around, the next one on its way meanwhile.
//
//   y[piece * 512 + i] = x[piece * 512 + 511 - i]
//
// x and y: pieces * 512 floats, in device memory, 16-byte aligned. A block takes a piece, then the
// one gridDim.x further, and so on:
//   blockDim = 128
//   gridDim  = pieces / 4, rounded up
// `start` lets this thread copy its 16 bytes of a piece into shared memory, asynchronously, by
// cp.async. Two stages: while one is turned around, the other is filled. Build and check it:
// ./learn run ch06/06
#include <cuda_pipeline.h>

__global__ void two_stages(const float* x, float* y, int pieces) {
  __shared__ __align__(16) float tile[2][512];
  const auto start = [&](int stage, int piece) {
    __pipeline_memcpy_async(&tile[stage][threadIdx.x * 4],
                            &x[static_cast<size_t>(piece) * 512 + threadIdx.x * 4], 16);
  };
  // BEGIN YOUR CODE
  int stage = 0;
  start(stage, blockIdx.x);
  __pipeline_commit();
  for (int piece = blockIdx.x; piece < pieces; piece += gridDim.x) {
    const int next = piece + gridDim.x;
    if (next < pieces) start(1 - stage, next);
    __pipeline_commit();       // Empty behind the last piece, so that the next line stays right.
    __pipeline_wait_prior(1);  // All groups but the newest: this piece is there, for this thread.
    __syncthreads();           // And for all the others.
    for (int i = threadIdx.x; i < 512; i += blockDim.x) {
      y[static_cast<size_t>(piece) * 512 + i] = tile[stage][511 - i];
    }
    __syncthreads();  // Everybody has read: the stage may be filled again.
    stage = 1 - stage;
  }
  // END YOUR CODE
}
