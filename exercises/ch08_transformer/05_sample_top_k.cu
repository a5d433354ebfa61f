// Exercise 05_sample_top_k: one of the k most likely tokens, by a number that was drawn.
//
// logits: rows x V floats, row-major; u: a number from 0 up to, not including, 1 per row; token:
// a float per row, which holds a whole number from 0 to V - 1.
//   candidates: the k largest logits of the row, largest first; of equal ones the lower token first
//   weight of a candidate: exp(logit / temperature)
//   token: the first candidate at which the sum of the weights so far is above u * (sum of all k)
// k is at most 8 and at most V. All arrays are in device memory. The launch is fixed, a warp per
// row:
//   blockDim = (32, 4), gridDim = rows / 4, rounded up
// Build and check it: ./learn run ch08/05
__global__ void sample_top_k(const float* logits, const float* u, float* token, int rows, int V,
                             int k, float temperature) {
  // BEGIN YOUR CODE
  // Your code here.
  // END YOUR CODE
}
