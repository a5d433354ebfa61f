// Exercise 03_pixel_planes: from an array of structures to a structure of arrays.
//
//   red[i]   = pixel i's red   * pixel i's alpha
//   green[i] = pixel i's green * pixel i's alpha
//   blue[i]  = pixel i's blue  * pixel i's alpha
//
// pixels: n times the four floats red, green, blue, alpha, in device memory, on a 16-byte boundary.
// planes: 3 * n floats in device memory: all of red, then all of green, then all of blue.
//   blockDim = 128, gridDim = n / 128, rounded up: one thread for each pixel
// Build and check it: ./learn run ch02/03
__global__ void pixel_planes(const float* pixels, float* planes, int n) {
  // BEGIN YOUR CODE
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 pixel = reinterpret_cast<const float4*>(pixels)[i];
  planes[i] = pixel.x * pixel.w;
  planes[n + i] = pixel.y * pixel.w;
  planes[2 * n + i] = pixel.z * pixel.w;
  // END YOUR CODE
}
