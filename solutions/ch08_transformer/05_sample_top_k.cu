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
  const int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  if (row >= rows) return;
  const float* in = logits + static_cast<size_t>(row) * V;
  // The lane's own best, in order; a token that does not exist comes last.
  float own[8];
  int own_id[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) own[i] = -INFINITY, own_id[i] = V;
  for (int v = lane; v < V; v += 32) {
    float value = in[v];
    int id = v;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      if (value > own[i] || (value == own[i] && id < own_id[i])) {
        const float other = own[i];
        const int other_id = own_id[i];
        own[i] = value, own_id[i] = id;
        value = other, id = other_id;
      }
    }
  }
  // The warp's best, k times: the largest of the lanes' first ones leaves its lane.
  float weight[8], total = 0, largest = 0;
  int best_id[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    weight[i] = 0, best_id[i] = 0;
    if (i >= k) continue;
    float best = own[0];
    int id = own_id[0];
    for (int d = 16; d > 0; d /= 2) {
      const float other = __shfl_xor_sync(0xFFFFFFFF, best, d);
      const int other_id = __shfl_xor_sync(0xFFFFFFFF, id, d);
      if (other > best || (other == best && other_id < id)) best = other, id = other_id;
    }
    if (id == own_id[0]) {
#pragma unroll
      for (int j = 0; j < 7; ++j) own[j] = own[j + 1], own_id[j] = own_id[j + 1];
      own[7] = -INFINITY, own_id[7] = V;
    }
    if (i == 0) largest = best;
    weight[i] = expf((best - largest) / temperature);
    best_id[i] = id;
    total += weight[i];
  }
  const float reach = u[row] * total;
  float sum = 0;
  int chosen = -1;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    if (i >= k) continue;
    sum += weight[i];
    if (chosen < 0 && (sum > reach || i == k - 1)) chosen = best_id[i];
  }
  if (lane == 0) token[row] = chosen;
  // END YOUR CODE
}
