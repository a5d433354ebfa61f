// Exercise 05_merge_parts: several partial softmaxes become one.
//
// The keys of each row were cut into S parts, and a kernel has left of part s of row r
//   m[r * S + s]               its largest score; minus infinity if the part is empty
//   l[r * S + s]               its sum of exp(score - m)
//   o[(r * S + s) * 64 + c]    its sum of exp(score - m) * value, 64 columns; not divided
// all in device memory. y: rows * 64 floats, what the softmax over all parts of the row gives; 0
// where all parts are empty. One warp takes one row:
//   blockDim = (32, 4): threadIdx.x is the lane, threadIdx.y the warp of the block
//   gridDim  = rows / 4, rounded up
// Every S must work. o begins at a multiple of 16 bytes; read each of its numbers once.
// Build and check it: ./learn run ch07/05
__global__ void merge_parts(const float* m, const float* l, const float* o, float* y, int rows,
                            int S) {
  // BEGIN YOUR CODE
  // Your code here.
  // END YOUR CODE
}
