// Exercise 08_gram_tiles: C = A A^T by tiles of 16 x 16.
//
//   c[row][column] = a[row][0] * a[column][0] + ... + a[row][K - 1] * a[column][K - 1]
//
// a: M * K floats, c: M * M floats, row-major, in device memory.
//   blockDim = (16, 16), gridDim = (M / 16, M / 16), each rounded up: a block for each tile of c
// Load each tile once into shared memory, along the rows of a; use it without bank conflicts.
// Build and check it: ./learn run ch03/08
__global__ void gram_tiles(const float* a, float* c, int M, int K) {
  // BEGIN YOUR CODE
  // Your code here.
  // END YOUR CODE
}
