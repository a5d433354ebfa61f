// Exercise 12_bug_kind_test: softmax of the lower triangle of a square matrix. Find the bug.
//
//   y[row][i] = exp(x[row][i]) / sum of exp(x[row][k]) for k <= row     for i <= row
//   y[row][i] = 0                                                       for i > row
//
// x and y: length * length floats, row-major, in device memory; both begin at a multiple of 256
// bytes.
//   blockDim = (32, 4), a warp for each row; gridDim = length / 4, rounded up
// Every length must work. Build and check it: ./learn run ch05/12
__global__ void causal_softmax(const float* x, float* y, int length) {
  // BEGIN YOUR CODE
  const unsigned full = 0xffffffff;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  const int lane = threadIdx.x;
  if (row >= length) return;
  const size_t first = static_cast<size_t>(row) * length;
  const float* in = x + first;
  const int own = row + 1;
  const float4* packs = reinterpret_cast<const float4*>(in);
  const int in_packs = own / 4;
  float largest = -3.402823466e38F, sum = 0;
  for (int i = lane; i < in_packs; i += 32) {
    const float4 four = packs[i];
    const float before = largest;
    largest = fmaxf(fmaxf(fmaxf(largest, four.x), fmaxf(four.y, four.z)), four.w);
    sum = sum * expf(before - largest) + expf(four.x - largest) + expf(four.y - largest) +
          expf(four.z - largest) + expf(four.w - largest);
  }
  for (int i = 4 * in_packs + lane; i < own; i += 32) {
    const float before = largest;
    largest = fmaxf(largest, in[i]);
    sum = sum * expf(before - largest) + expf(in[i] - largest);
  }
  const float before = largest;
  for (int d = 16; d > 0; d /= 2) largest = fmaxf(largest, __shfl_xor_sync(full, largest, d));
  sum *= expf(before - largest);
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(full, sum, d);
  float* out = y + first;
  for (int i = lane; i < own; i += 32) out[i] = expf(in[i] - largest) / sum;
  for (int i = own + lane; i < length; i += 32) out[i] = 0;
  // END YOUR CODE
}
