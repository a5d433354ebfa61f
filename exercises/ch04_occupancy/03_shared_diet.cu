// Exercise 03_shared_diet: the spread of each segment, with room for all 64 warps of an SM.
//
//   y[segment] = largest - smallest of the segment's `length` numbers
//
// x: gridDim.x * length floats, one segment after the other, in device memory. y: gridDim.x floats.
//   blockDim = 128: a block takes one segment
//   length: 1 to 8192
// The kernel that stood here copied its whole segment to shared memory first:
//   __shared__ float staged[8192];
// With 33 KiB a block, an SM holds 24 warps. Write one that needs so little that it holds all 64:
// 16 blocks, of at most 13568 bytes each. Build and check it: ./learn run ch04/03

// The smallest and the largest of the numbers that the 32 lanes of a warp bring; all lanes call
// them, and all lanes get the result. Chapter 5 explains how they work.
__device__ float smallest_of_warp(float number) {
  for (int distance = 16; distance > 0; distance /= 2) {
    number = fminf(number, __shfl_xor_sync(0xFFFFFFFF, number, distance));
  }
  return number;
}
__device__ float largest_of_warp(float number) {
  for (int distance = 16; distance > 0; distance /= 2) {
    number = fmaxf(number, __shfl_xor_sync(0xFFFFFFFF, number, distance));
  }
  return number;
}

__global__ void spread(const float* x, float* y, int length) {
  // BEGIN YOUR CODE
  // Your code here.
  // END YOUR CODE
}
