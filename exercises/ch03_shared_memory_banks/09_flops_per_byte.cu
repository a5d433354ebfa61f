// Exercise 09_flops_per_byte: how fast can a tiled matrix product be?
//
// C = A * B, with A of m x k, B of k x n, C of m x n elements. A block computes a tile of `tile` x
// `tile` elements of C. It reads its rows of A and its columns of B once, and it stores its tile of
// C once. Blocks at the edge read only the rows and columns that exist. So memory moves
//   A once for each column of tiles, B once for each row of tiles, C once
//
// bytes: of one element. peak_tflops: what the GPU can compute, in 10^12 operations a second.
// bandwidth_gbps: what its memory moves, in 10^9 bytes a second.
// An element of C takes k multiplications and k additions.
//
// Return the most TFLOP/s that either limit allows.
// Plain C++, no kernel. Build and check it: ./learn run ch03/09
double attainable_tflops(long long m, long long n, long long k, int tile, int bytes,
                         double peak_tflops, double bandwidth_gbps) {
  // BEGIN YOUR CODE
  // Your code here.
  // END YOUR CODE
}
