#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/numbers.h"
#include "lesson/compare/product_reference.h"
#include "lesson/cublas.h"
#include "lesson/run.h"
#include "warp_tiles.cuh"

/// \file
/// The problem C = A B that product.cu and tile_sizes.cu share: input, reference, what it needs.

namespace lesson = warpwise::lesson;

/// Numbers in [-1, 1) that repeat on every machine.
inline std::vector<float> product_input(std::size_t count, std::uint32_t seed) {
  lesson::RandomBits bits(seed);
  std::vector<float> x(count);
  for (float& value : x) value = bits.signed_fraction();
  return x;
}

inline int ceil_div(int a, int b) { return (a + b - 1) / b; }

/// The problem at one size.
struct Problem {
  const float* A;
  const float* B;
  float* C;
  int M, N, K;

  explicit Problem(lesson::Trial& run) : M(run.size()[0]), N(run.size()[1]), K(run.size()[2]) {
    const auto a = product_input(static_cast<std::size_t>(M) * K, 1);
    const auto b = product_input(static_cast<std::size_t>(K) * N, 2);
    A = run.input("A", a);
    B = run.input("B", b);
    // Rounding of K additions, with room; a product left out is a hundred times as much.
    const lesson::Tolerance tolerance{.absolute = 2e-7 * (K + 16)};
    C = run.output("C", lesson::product_reference(a, b, M, N, K), tolerance, N);
  }
  dim3 grid(int BM, int BN) const {
    return dim3(static_cast<unsigned>(ceil_div(N, BN)), static_cast<unsigned>(ceil_div(M, BM)));
  }
  /// Whether each row of A and B begins at a multiple of 16 bytes.
  bool in_packs() const { return N % 4 == 0 && K % 4 == 0; }
  lesson::LibraryCall cublas() const {
    return lesson::cublas_product(lesson::CublasPrecision::fp32, M, N, K, A, B, C);
  }
};

inline lesson::Needs product_needs(const lesson::Size& size) {
  const double M = size[0], N = size[1], K = size[2];
  return {.bytes = 4 * (M * K + K * N + M * N), .flops = 2 * M * N * K};
}

inline const lesson::Size product_full{4096, 4096, 4096};
inline const lesson::Size product_small{256, 256, 128};
inline constexpr const char* product_yardstick = "cuBLAS fp32";

/// A rung of product_warp_tiles.
template <class T>
void tiling(lesson::Trial& run, const char* name, const Problem& p) {
  const lesson::Shape shape{.grid = p.grid(T::BM, T::BN), .block = T::threads};
  if (p.in_packs()) {
    run.variant(name, product_warp_tiles<T, 4>, shape, p.A, p.B, p.C, p.M, p.N, p.K);
  } else {
    run.variant(name, product_warp_tiles<T, 1>, shape, p.A, p.B, p.C, p.M, p.N, p.K);
  }
}
