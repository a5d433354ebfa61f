// Exercise 02_split_heads: from a row per token to a matrix per head.
//
// qkv: (B, T, 3, H, 64) floats: for each token a row of queries, keys and values, each of H heads
// of 64 floats. split: (3, B, H, T, 64): first all queries, then all keys, then all values; the
// tokens of one head are neighbours:
//   split[part][b][h][t][c] = qkv[b][t][part][h][c]
// Both are in device memory and begin at multiples of 16 bytes. The launch is fixed:
//   blockDim = 128, gridDim = B * T * 3 * H * 16 / 128, rounded up: a thread per four floats
// Build and check it: ./learn run ch08/02
__global__ void split_heads(const float* qkv, float* split, int B, int T, int H) {
  // BEGIN YOUR CODE
  // Your code here.
  // END YOUR CODE
}
