// Exercise 06_patch_rows: images become the rows of a product.
//
// images: (B, 3, height, width) floats: red, green, blue. Each image is cut into patches of 8 x 8
// pixels, from the top left corner on; pixels on the right and at the bottom that fill no patch
// are left out. rows: a row of 3 * 8 * 8 floats per patch:
//   rows[(b * down + i) * across + j][(channel * 8 + y) * 8 + x]
//       = images[b][channel][i * 8 + y][j * 8 + x]
// with down = height / 8 and across = width / 8. width is a multiple of 4. Both arrays are in
// device memory and begin at multiples of 16 bytes. The launch is fixed:
//   blockDim = 128, gridDim = B * down * across * 48 / 128, rounded up: a thread per four floats
// Build and check it: ./learn run ch08/06
__global__ void patch_rows(const float* images, float* rows, int B, int height, int width) {
  // BEGIN YOUR CODE
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int down = height / 8, across = width / 8;
  const int half = i % 2, y = i / 2 % 8, channel = i / 16 % 3, patch = i / 48;
  const int b = patch / (down * across);
  if (b >= B) return;
  const int patch_row = patch / across % down, patch_column = patch % across;
  const size_t image_row = (static_cast<size_t>(b) * 3 + channel) * height + patch_row * 8 + y;
  const float* from = images + image_row * width + patch_column * 8 + half * 4;
  reinterpret_cast<float4*>(rows)[i] = *reinterpret_cast<const float4*>(from);
  // END YOUR CODE
}
