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
  // Your code here.
  // END YOUR CODE
}
