// Exercise 07_group_scales: the scale of each group of 32 numbers, as for storing them as 8-bit
// integers.
//
//   scale[group] = largest |x| of the group's 32 numbers / 127
//
// x: groups * 32 floats in device memory, 16-byte aligned. scale: groups floats. Eight lanes share
// a group:
//   blockDim = 128: 16 groups a block
//   gridDim  = groups / 16, rounded up
// Every number of groups must work. Build and check it: ./learn run ch05/07
__global__ void group_scales(const float* x, float* scale, int groups) {
  // BEGIN YOUR CODE
  const int group = (blockIdx.x * blockDim.x + threadIdx.x) / 8;
  const int part = threadIdx.x % 8;

  float largest = 0;
  if (group < groups) {
    const float4 four = reinterpret_cast<const float4*>(x)[group * 8 + part];
    largest = fmaxf(fmaxf(fabsf(four.x), fabsf(four.y)), fmaxf(fabsf(four.z), fabsf(four.w)));
  }
  for (int distance = 4; distance > 0; distance /= 2) {
    largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFF, largest, distance, 8));
  }
  if (part == 0 && group < groups) scale[group] = largest / 127;
  // END YOUR CODE
}
