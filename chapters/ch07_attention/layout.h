#pragma once
#include <cuda_bf16.h>

#include <cstddef>

/// \file
/// Where a head's queries, keys and values are: inside the result of the layer's first product.
///
/// That product gives each token a row of 3C numbers: C of the queries, C of the keys, C of the
/// values. Head h has columns 64h to 64h + 63 of each third. Attention reads them there: a kernel
/// that first copies each head together would move 2 x 12 N T d bytes for nothing.
namespace attention {

using bf16 = __nv_bfloat16;

/// Numbers of one head's query, key and value.
inline constexpr int head_size = 64;

/// Sequences, tokens of a sequence, heads of a token.
struct Extents {
  int B, T, H;

  /// Numbers of a token in the output.
  __host__ __device__ int C() const { return H * head_size; }
  /// Numbers from one token's row of qkv to the next.
  __host__ __device__ int pitch() const { return 3 * C(); }
  /// Pairs of a sequence and a head: the independent problems.
  __host__ __device__ int N() const { return B * H; }
};

/// One head of one sequence. Row t of q, k and v begins t * pitch numbers further, row t of out
/// t * C numbers further.
template <class T>
struct Head {
  const T *q, *k, *v;
  T* out;

  /// @param[in] qkv (B, T, 3C), device. @param[out] out (B, T, C), device. @param n b * H + h
  __device__ Head(const T* qkv, T* out, const Extents& e, int n) {
    const int b = n / e.H, h = n % e.H;
    const std::size_t first_token = static_cast<std::size_t>(b) * e.T;
    q = qkv + first_token * e.pitch() + h * head_size;
    k = q + e.C();
    v = k + e.C();
    this->out = out + first_token * e.C() + h * head_size;
  }
};

/// 2^x by the special function unit, whose error is at most 2 units in the last place and which
/// gives powers of two for whole numbers. @source PTX manual, ex2.approx
__device__ inline float power_of_two(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

__host__ __device__ inline int ceil_div(int a, int b) { return (a + b - 1) / b; }

}  // namespace attention
