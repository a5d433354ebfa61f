// Exercise 07_kind_test: a softmax that is right at the T of its test, and yours for every T.
//
// x, y: rows * T floats, row-major, in device memory, beginning at multiples of 16 bytes. Row r
// belongs to token r % T of a sequence of T tokens and has r % T + 1 scores that count:
//   y[r][i] = exp(x[r][i]) / sum of exp(x[r][j]) over j <= r % T,   0 for i > r % T
// softmax_as_merged passed its test at T 64 with a y full of zeros. It is wrong in three ways.
// Write softmax_any_length, right for every T. The launch is fixed, for both:
//   blockDim = (32, 4): threadIdx.x is the lane, threadIdx.y the warp of the block, a warp per row
//   gridDim  = rows / 4, rounded up
// Build and check it: ./learn run ch07/07
#include <cfloat>

__device__ float largest_of_warp(float value) {
  for (int distance = 16; distance > 0; distance /= 2) {
    value = fmaxf(value, __shfl_xor_sync(0xFFFFFFFF, value, distance));
  }
  return value;
}

__device__ float sum_of_warp(float value) {
  for (int distance = 16; distance > 0; distance /= 2) {
    value += __shfl_xor_sync(0xFFFFFFFF, value, distance);
  }
  return value;
}

__global__ void softmax_as_merged(const float* x, float* y, int rows, int T) {
  const int lane = threadIdx.x, row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const int length = row % T + 1, packs = (length + 3) / 4;
  const float4* in = reinterpret_cast<const float4*>(x + static_cast<size_t>(row) * T);
  float4* out = reinterpret_cast<float4*>(y + static_cast<size_t>(row) * T);
  const auto counted = [&](int pack) {
    float4 four = in[pack];
    if (4 * pack + 1 >= length) four.y = -FLT_MAX;
    if (4 * pack + 2 >= length) four.z = -FLT_MAX;
    if (4 * pack + 3 >= length) four.w = -FLT_MAX;
    return four;
  };
  float largest = -FLT_MAX, sum = 0;
  for (int pack = lane; pack < packs; pack += 32) {
    const float4 four = counted(pack);
    largest = fmaxf(fmaxf(largest, fmaxf(four.x, four.y)), fmaxf(four.z, four.w));
  }
  largest = largest_of_warp(largest);
  for (int pack = lane; pack < packs; pack += 32) {
    const float4 four = counted(pack);
    sum += expf(four.x - largest) + expf(four.y - largest) + expf(four.z - largest) +
           expf(four.w - largest);
  }
  sum = sum_of_warp(sum);
  for (int pack = lane; pack < packs; pack += 32) {
    const float4 four = counted(pack);
    out[pack] = {expf(four.x - largest) / sum, expf(four.y - largest) / sum,
                 expf(four.z - largest) / sum, expf(four.w - largest) / sum};
  }
}

__global__ void softmax_any_length(const float* x, float* y, int rows, int T) {
  // BEGIN YOUR CODE
  // Your code here.
  // END YOUR CODE
}
