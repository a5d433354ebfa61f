// Exercise 04_hand_over: the result of one product is the operand of the next.
//
//   y = relu(a * b^T) * v      for each of `tiles` triples of 16 x 16 matrices
//
// a, b, v: tiles * 16 * 16 halfs, y: tiles * 16 * 16 floats; all row-major, in device memory. One
// warp takes one tile:
//   blockDim = 32, gridDim = tiles
// The frame has the first product: of s = a * b^T, s[0] is columns 0 to 7, s[1] columns 8 to 15.
// Make it the first operand of the second product, in registers: no shared memory, no shuffle.
// Build and check it: ./learn run ch07/04
#include <cuda_fp16.h>

/// A lane's share of tiles of 16 x 16 (first operand), 16 x 8 (second operand), 16 x 8 (sums).
/// With g = lane / 4 and t = lane % 4, two neighbours in k per register, the lower k in the lower
/// half:
///   left.pair   (g, k = 2t), (g + 8, k = 2t), (g, k = 2t + 8), (g + 8, k = 2t + 8)
///   right.pair  (k = 2t, column g), (k = 2t + 8, column g)
///   sums.value  (g, 2t), (g, 2t + 1), (g + 8, 2t), (g + 8, 2t + 1)
struct Left {
  unsigned pair[4];
};
struct Right {
  unsigned pair[2];
};
struct Sums {
  float value[4] = {};
};

/// sums += left * right, by the whole warp.
__device__ void multiply_add(Sums& sums, const Left& left, const Right& right) {
#if __CUDA_ARCH__ >= 800
  float(&s)[4] = sums.value;
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
      : "r"(left.pair[0]), "r"(left.pair[1]), "r"(left.pair[2]), "r"(left.pair[3]),
        "r"(right.pair[0]), "r"(right.pair[1]));
#endif
}

/// Two numbers as one register; the first in the lower half.
__device__ unsigned packed(float first, float second) {
  const __half2 pair = __floats2half2_rn(first, second);
  return *reinterpret_cast<const unsigned*>(&pair);
}

__device__ float relu(float value) { return fmaxf(value, 0); }

/// The first operand: a 16 x 16 matrix.
__device__ Left left_of(const __half* matrix) {
  const int g = threadIdx.x / 4, t = threadIdx.x % 4;
  const auto pair = [&](int row, int k) {
    return *reinterpret_cast<const unsigned*>(&matrix[row * 16 + k]);
  };
  return {{pair(g, 2 * t), pair(g + 8, 2 * t), pair(g, 2 * t + 8), pair(g + 8, 2 * t + 8)}};
}

/// Columns first to first + 7 of the second operand, where row k of the matrix is column k of it:
/// b^T.
__device__ Right transposed_of(const __half* matrix, int first) {
  const int g = threadIdx.x / 4, t = threadIdx.x % 4;
  const auto pair = [&](int k) {
    return *reinterpret_cast<const unsigned*>(&matrix[(first + g) * 16 + k]);
  };
  return {{pair(2 * t), pair(2 * t + 8)}};
}

/// Columns first to first + 7 of the second operand, as the matrix has them: v.
__device__ Right right_of(const __half* matrix, int first) {
  const int g = threadIdx.x / 4, t = threadIdx.x % 4;
  const auto pair = [&](int k) {
    const __half2 two = {matrix[k * 16 + first + g], matrix[(k + 1) * 16 + first + g]};
    return *reinterpret_cast<const unsigned*>(&two);
  };
  return {{pair(2 * t), pair(2 * t + 8)}};
}

__global__ void hand_over(const __half* a, const __half* b, const __half* v, float* y) {
  const int g = threadIdx.x / 4, t = threadIdx.x % 4;
  const size_t first = static_cast<size_t>(blockIdx.x) * 16 * 16;
  const __half *own_b = b + first, *own_v = v + first;
  const Left left = left_of(a + first);
  Sums s[2], o[2];
  for (int i = 0; i < 2; ++i) multiply_add(s[i], left, transposed_of(own_b, 8 * i));
  // BEGIN YOUR CODE
  const float(&l)[4] = s[0].value;
  const float(&r)[4] = s[1].value;
  const Left scores = {{packed(relu(l[0]), relu(l[1])), packed(relu(l[2]), relu(l[3])),
                        packed(relu(r[0]), relu(r[1])), packed(relu(r[2]), relu(r[3]))}};
  multiply_add(o[0], scores, right_of(own_v, 0));
  multiply_add(o[1], scores, right_of(own_v, 8));
  // END YOUR CODE
  for (int i = 0; i < 2; ++i) {
    float* to = y + first + g * 16 + 8 * i + 2 * t;
    *reinterpret_cast<float2*>(to) = {o[i].value[0], o[i].value[1]};
    *reinterpret_cast<float2*>(to + 8 * 16) = {o[i].value[2], o[i].value[3]};
  }
}
