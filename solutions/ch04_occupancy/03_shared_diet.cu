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
  // Two numbers for each warp: what a thread has seen stays in its registers.
  __shared__ float smallest_of[4], largest_of[4];
  const float* segment = x + static_cast<size_t>(blockIdx.x) * length;

  // A number of the segment, so that a thread without one changes nothing.
  float smallest = segment[0], largest = segment[0];
  for (int i = threadIdx.x; i < length; i += 128) {
    smallest = fminf(smallest, segment[i]);
    largest = fmaxf(largest, segment[i]);
  }
  smallest = smallest_of_warp(smallest);
  largest = largest_of_warp(largest);
  if (threadIdx.x % 32 == 0) {
    smallest_of[threadIdx.x / 32] = smallest;
    largest_of[threadIdx.x / 32] = largest;
  }
  // All warps have written before thread 0 reads.
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int warp = 1; warp < 4; ++warp) {
      smallest = fminf(smallest, smallest_of[warp]);
      largest = fmaxf(largest, largest_of[warp]);
    }
    y[blockIdx.x] = largest - smallest;
  }
  // END YOUR CODE
}
