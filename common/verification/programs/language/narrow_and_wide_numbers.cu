// Numbers that few instructions know: floats of 4, 6 and 8 bits, matrices of integers of 4 bits and
// of single bits, complex numbers, integers of 128 bits in cuda::std, atomics of 16 bytes.
#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>
#include <mma.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda/std/bit>
#include <cuda/std/complex>
#include <cuda/std/numeric>
#include <vector>

namespace {

using Word = unsigned long long;
constexpr int threads = 256;

/// Edges first, then numbers of all sizes; the same everywhere.
__device__ float float_of(int i) {
  const float edges[] = {0.f,     -0.f,  1.f,   -1.f,   1.5f,    448.f,       464.f,  57344.f,
                         61440.f, 28.f,  6.f,   7.5f,   0.0625f, 0.03f,       5.f,    0.25f,
                         1e-45f,  3e38f, -28.f, 0.875f, 65504.f, 1.0f / 0.0f, -1e30f, 3.5f};
  if (i < 24) return edges[i];
  const unsigned bits = i * 2654435761u ^ i << 13;
  return __uint_as_float(bits & 0x80ffffff | (i % 61 + 97) << 23);
}
__device__ Word word_of(int i) {
  Word x = (i + 1) * 0x9e3779b97f4a7c15ull;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
  return (x ^ x >> 27) >> i % 64;
}

__global__ void narrow_floats(Word* out) {
  const int i = threadIdx.x;
  const float x = float_of(i);
  const float2 two = make_float2(x, float_of((i * 7 + 3) % threads));
  Word sum = 0;
  const auto add = [&](unsigned bits) { sum = sum * 1099511628211ull + bits; };
  for (auto form : {__NV_E2M3, __NV_E3M2}) {
    add(__nv_cvt_float_to_fp6(x, form, cudaRoundNearest));
    add(__nv_cvt_float2_to_fp6x2(two, form, cudaRoundNearest));
    add(__half_as_ushort(__half(__nv_cvt_fp6_to_halfraw(i & 63, form))));
  }
  add(__nv_cvt_float_to_fp4(x, __NV_E2M1, cudaRoundNearest));
  add(__nv_cvt_float2_to_fp4x2(two, __NV_E2M1, cudaRoundNearest));
  add(__half_as_ushort(__half(__nv_cvt_fp4_to_halfraw(i & 15, __NV_E2M1))));
  for (auto rounding : {cudaRoundZero, cudaRoundPosInf})
    for (auto saturation : {__NV_NOSAT, __NV_SATFINITE}) {
      add(__nv_cvt_float_to_e8m0(x, saturation, rounding));
      add(__nv_cvt_float2_to_e8m0x2(two, saturation, rounding));
    }
  add(__bfloat16_as_ushort(__nv_bfloat16(__nv_cvt_e8m0_to_bf16raw(i))));
  for (auto form : {__NV_E4M3, __NV_E5M2})
    for (auto saturation : {__NV_NOSAT, __NV_SATFINITE}) {
      add(__nv_cvt_double_to_fp8(x, saturation, form));
      add(__nv_cvt_bfloat16raw_to_fp8(__float2bfloat16(x), saturation, form));
      add(__nv_cvt_halfraw2_to_fp8x2(__float22half2_rn(two), saturation, form));
    }
  out[i] = sum;
}

template <class T, int K>
__global__ void narrow_products(Word* out) {
  using namespace nvcuda;
  __shared__ alignas(32) unsigned a[32], b[32];
  __shared__ alignas(32) int c[64];
  const int lane = threadIdx.x;
  a[lane] = static_cast<unsigned>(word_of(lane) ^ word_of(lane + 64) >> 17);
  b[lane] = static_cast<unsigned>(word_of(lane + 128) ^ word_of(lane + 5) >> 9);
  c[lane] = lane * 1000003, c[lane + 32] = -lane;
  __syncwarp();
  wmma::fragment<wmma::matrix_a, 8, 8, K, T, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 8, 8, K, T, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, 8, 8, K, int> sum, start;
  wmma::load_matrix_sync(left, a, K);
  wmma::load_matrix_sync(right, b, K);
  wmma::load_matrix_sync(start, c, 8, wmma::mem_row_major);
  if constexpr (K == 128)
    wmma::bmma_sync(sum, left, right, start, wmma::experimental::bmmaBitOpAND);
  else
    wmma::mma_sync(sum, left, right, start);
  __syncwarp();
  wmma::store_matrix_sync(c, sum, 8, wmma::mem_col_major);
  __syncwarp();
  out[lane] = static_cast<Word>(c[lane]) << 32 | static_cast<unsigned>(c[lane + 32]);
}

template <class T>
__global__ void complex_numbers(Word* out) {
  namespace cs = cuda::std;
  const int i = threadIdx.x;
  const cs::complex<T> z(T(i % 16) / 4 - T(1.9), T(i / 16) / 4 - T(2.1)), w(T(0.75), T(i) / 64 - 2);
  Word sum = 0;
  const auto add = [&](cs::complex<T> v) {
    for (T part : {v.real(), v.imag()})
      sum = sum * 1099511628211ull +
            cs::bit_cast<cs::conditional_t<sizeof(T) == 4, unsigned, Word>>(part);
  };
  add(z * w), add(z / w), add(cs::exp(z)), add(cs::log(z)), add(cs::sqrt(z)), add(cs::sin(z));
  add(cs::tanh(z)), add(cs::acos(z)), add(cs::pow(z, T(2.5))),
      add(cs::polar(cs::abs(z), cs::arg(w)));
  const cuDoubleComplex q =
      cuCdiv(make_cuDoubleComplex(z.real(), z.imag()), make_cuDoubleComplex(w.real(), w.imag()));
  out[i] = sum ^ __double_as_longlong(q.x) ^ __double_as_longlong(cuCabs(q)) >> 1;
}

__global__ void wide_integers(Word* out) {
  namespace cs = cuda::std;
  const int i = threadIdx.x;
  const auto x = static_cast<unsigned __int128>(word_of(i)) << 64 | word_of(i + 77);
  const auto y = static_cast<__int128>(word_of(i + 13)) * (i % 2 ? -3 : 5);
  const auto halves = [](unsigned __int128 v) {
    return static_cast<Word>(v) ^ static_cast<Word>(v >> 64) * 3;
  };
  Word sum = cs::popcount(x) + 200 * cs::countl_zero(x) + 40000 * cs::countr_zero(x);
  sum ^= halves(cs::rotl(x, i)) ^ halves(x / (word_of(i + 5) | 1)) ^ halves(y % 1000003);
  sum ^= static_cast<Word>(static_cast<double>(x)) ^ halves(static_cast<__int128>(1e30 / (i + 1)));
  sum += cs::gcd(word_of(i) | 1, word_of(i + 1)) + cs::midpoint(word_of(i), word_of(i + 9));
  out[i] = sum + cs::bit_width(x) + cs::byteswap(word_of(i));
}

struct alignas(16) Pair {
  Word low, high;
};

/// Each thread links its own cell to the head of a list, and counts what it found there.
__global__ void wide_atomics(Pair* head, Pair* cells, Word* out) {
  const int i = threadIdx.x;
  Pair seen = atomicCAS(head, Pair{0, 0}, Pair{0, 0}), link;
  do {
    cells[i] = link = seen;
    seen = atomicCAS(head, link, Pair{static_cast<Word>(i + 1), link.high + i});
  } while (seen.low != link.low || seen.high != link.high);
  __syncthreads();
  const Pair last = *head;
  int length = 0;
  for (Word at = last.low; at != 0; at = cells[at - 1].low) ++length;
  __syncthreads();
  const Pair old = atomicExch(&cells[i], Pair{1, Word(i)});
  out[i] = length * 1000000 + last.high + (old.low <= threads);
}

void show(const char* name, const Word* out, int count) {
  std::vector<Word> host(count);
  const cudaError_t error =
      cudaMemcpy(host.data(), out, count * sizeof(Word), cudaMemcpyDeviceToHost);
  if (error != cudaSuccess) {
    std::printf("%s: %s\n", name, cudaGetErrorName(error));
    std::exit(1);
  }
  Word hash = 0xcbf29ce484222325u;
  for (Word word : host) hash = (hash ^ word) * 0x100000001b3u;
  std::printf("%s: %016llx, first %016llx, last %016llx\n", name, hash, host.front(), host.back());
}

}  // namespace

int main() {
  Word* out;
  Pair* pairs;
  cudaMalloc(&out, threads * sizeof(Word));
  cudaMalloc(&pairs, (threads + 1) * sizeof(Pair));
  cudaMemset(pairs, 0, (threads + 1) * sizeof(Pair));
  narrow_floats<<<1, threads>>>(out);
  show("narrow floats", out, threads);
  using namespace nvcuda::wmma::experimental::precision;
  narrow_products<s4, 32><<<1, 32>>>(out);
  show("products of s4", out, 32);
  narrow_products<u4, 32><<<1, 32>>>(out);
  show("products of u4", out, 32);
  narrow_products<b1, 128><<<1, 32>>>(out);
  show("products of bits", out, 32);
  complex_numbers<float><<<1, threads>>>(out);
  show("complex floats", out, threads);
  complex_numbers<double><<<1, threads>>>(out);
  show("complex doubles", out, threads);
  wide_integers<<<1, threads>>>(out);
  show("wide integers", out, threads);
  wide_atomics<<<1, threads>>>(pairs, pairs + 1, out);
  show("wide atomics", out, threads);
  cudaFree(out);
  cudaFree(pairs);
}
