// Exercise 06_append_cache: new keys and values find their places in a cache.
//
// qkv: for each of `tokens` tokens a row of 3 * H * 64 floats: queries, keys, values, each of H
// heads of 64 floats. slot[t]: where token t goes. cache: first the keys, then the values, each as
// (H, tokens, 64): the 64 floats of head h in slot s begin at (h * tokens + s) * 64. As many slots
// as tokens; each is the slot of one token. Queries are not stored. All arrays are in device memory
// and begin at multiples of 16 bytes. The launch is fixed:
//   blockDim = 128, gridDim = tokens * 2 * H * 16 / 128, rounded up: a thread per four floats
// Build and check it: ./learn run ch07/06
__global__ void append_cache(const float* qkv, const int* slot, float* cache, int tokens, int H) {
  // BEGIN YOUR CODE
  // Your code here.
  // END YOUR CODE
}
