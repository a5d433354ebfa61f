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
  // Your code here.
  // END YOUR CODE
}
