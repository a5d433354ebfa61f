// The standard library on the device: array, tuple, complex, span, variant, optional, limits, bit
// operations.
#include <cstdio>
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/complex>
#include <cuda/std/limits>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/utility>
#include <cuda/std/variant>

namespace std_ = cuda::std;

__device__ std_::tuple<int, double, char> make(int t) {
  return std_::make_tuple(t, t / 4.0, (char)('a' + t % 26));
}

__device__ std_::optional<int> root(int v) {
  for (int r = 0; r * r <= v; ++r)
    if (r * r == v) return r;
  return std_::nullopt;
}

__device__ int total(std_::span<const int> values) {
  int sum = 0;
  for (int v : values) sum += v;
  return sum;
}

struct Visitor {
  __device__ int operator()(int v) const { return v * 2; }
  __device__ int operator()(float v) const { return (int)(v * 100); }
  __device__ int operator()(std_::array<short, 3> v) const { return v[0] + v[1] * v[2]; }
};

__global__ void run(int* out) {
  const int t = threadIdx.x;
  std_::array<int, 6> a{};
  for (int i = 0; i < 6; ++i) a[i] = (i + 1) * t;
  int h = total(a) + total(std_::span<const int>(a).subspan(2, 3));
  auto [i, d, c] = make(t);
  h = h * 31 + i + (int)(d * 4) + c;
  std_::variant<int, float, std_::array<short, 3>> v = t;
  if (t % 3 == 1) v = t * 0.5f;
  if (t % 3 == 2) v = std_::array<short, 3>{(short)t, 2, 3};
  h = h * 31 + std_::visit(Visitor(), v) + (int)v.index();
  h = h * 31 + root(t).value_or(-7);
  std_::complex<float> z(1, t), w(t % 4, -1);
  const auto p = z * w + std_::conj(z);
  h = h * 31 + (int)p.real() * 3 + (int)p.imag() + (int)std_::norm(w);
  h = h * 31 + std_::popcount((unsigned)t) + std_::countl_zero((unsigned)t + 1) +
      (int)std_::rotl((unsigned)t, 5) + std_::has_single_bit((unsigned)t) +
      (int)std_::bit_ceil((unsigned)t);
  h = h * 31 + std_::numeric_limits<short>::max() + (std_::numeric_limits<float>::infinity() > t);
  auto pair = std_::make_pair(h, t);
  std_::swap(pair.first, pair.second);
  out[t] = pair.first * 3 + pair.second;
}

int main() {
  int* out;
  cudaMallocManaged(&out, 64 * sizeof(int));
  run<<<1, 64>>>(out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  for (int i = 0; i < 64; ++i) printf("%d%c", out[i], i % 16 == 15 ? '\n' : ' ');
  cudaFree(out);
}

// Built as C++20.
