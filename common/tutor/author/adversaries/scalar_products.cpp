#include "tutor/author/adversaries/scalar_products.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <string_view>
#include <vector>

#include "base/frame.h"
#include "tutor/author/pasting/declarations.h"

namespace warpwise::tutor {
namespace {

// The elements that a lane holds, as the PTX manual states it for the two shapes.
constexpr std::string_view inline_products = R"(
#include <cuda_fp16.h>
__device__ inline float scalar_half(unsigned pair, int which) {
  return __half2float(__ushort_as_half(static_cast<unsigned short>(pair >> (16 * which))));
}
__device__ inline void scalar_m16n8k16(float& c0, float& c1, float& c2, float& c3, unsigned a0,
                                       unsigned a1, unsigned a2, unsigned a3, unsigned b0,
                                       unsigned b1) {
  const int lane = (threadIdx.x + threadIdx.y * blockDim.x) % 32, g = lane / 4, t = lane % 4;
  const unsigned a[4] = {a0, a1, a2, a3}, b[2] = {b0, b1};
  float* const c[4] = {&c0, &c1, &c2, &c3};
#pragma unroll
  for (int k = 0; k < 16; ++k) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const unsigned left = __shfl_sync(~0U, a[i / 2 + k / 8 * 2], g * 4 + k % 8 / 2);
      const unsigned right = __shfl_sync(~0U, b[k / 8], (2 * t + i % 2) * 4 + k % 8 / 2);
      *c[i] += scalar_half(left, k % 2) * scalar_half(right, k % 2);
    }
  }
}
__device__ inline void scalar_m16n8k8(float& c0, float& c1, float& c2, float& c3, unsigned a0,
                                      unsigned a1, unsigned a2, unsigned a3, unsigned b0,
                                      unsigned b1) {
  const int lane = (threadIdx.x + threadIdx.y * blockDim.x) % 32, g = lane / 4, t = lane % 4;
  const unsigned a[4] = {a0, a1, a2, a3}, b[2] = {b0, b1};
  float* const c[4] = {&c0, &c1, &c2, &c3};
#pragma unroll
  for (int k = 0; k < 8; ++k) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const unsigned left = __shfl_sync(~0U, a[i / 2 + k / 4 * 2], g * 4 + k % 4);
      const unsigned right = __shfl_sync(~0U, b[k / 4], (2 * t + i % 2) * 4 + k % 4);
      *c[i] += __uint_as_float(left) * __uint_as_float(right);
    }
  }
}
)";

// Lane L holds elements 8 L to 8 L + 7 of each matrix.
constexpr std::string_view wmma_products = R"(
namespace scalar_wmma {
using nvcuda::wmma::accumulator;
using nvcuda::wmma::matrix_a;
using nvcuda::wmma::matrix_b;
using nvcuda::wmma::mem_row_major;
using nvcuda::wmma::row_major;
template <class Use, int M, int N, int K, class T, class Layout = void>
struct fragment {
  float x[8];
};
__device__ inline int lane() { return (threadIdx.x + threadIdx.y * blockDim.x) % 32; }
template <class F>
__device__ void fill_fragment(F& to, float value) {
  for (float& x : to.x) x = value;
}
template <class F, class T>
__device__ void load_matrix_sync(F& to, const T* from, unsigned length) {
#pragma unroll
  for (int j = 0; j < 8; ++j)
    to.x[j] = static_cast<float>(from[lane() / 2 * length + lane() % 2 * 8 + j]);
}
template <class C, class A, class B, class D>
__device__ void mma_sync(C& to, const A& a, const B& b, const D& from) {
  float sum[8];
#pragma unroll
  for (int j = 0; j < 8; ++j) sum[j] = from.x[j];
#pragma unroll
  for (int k = 0; k < 16; ++k) {
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      const float left = __shfl_sync(~0U, a.x[k % 8], lane() / 2 * 2 + k / 8);
      sum[j] += left * __shfl_sync(~0U, b.x[j], k * 2 + lane() % 2);
    }
  }
#pragma unroll
  for (int j = 0; j < 8; ++j) to.x[j] = sum[j];
}
template <class F>
__device__ void store_matrix_sync(float* to, const F& from, unsigned length, int) {
#pragma unroll
  for (int j = 0; j < 8; ++j) to[lane() / 2 * length + lane() % 2 * 8 + j] = from.x[j];
}
}  // namespace scalar_wmma
)";

// After the last #include, or before everything.
std::string with_functions(const std::string& text, std::string_view functions) {
  const std::size_t include = text.rfind("#include");
  const std::size_t at = include == std::string::npos ? 0 : text.find('\n', include) + 1;
  return text.substr(0, at) + std::string(functions) + text.substr(at);
}

// The tokens from the `(` at `open` to its `)`: the position after it.
std::size_t closing(const std::vector<std::string_view>& tokens, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    if (tokens[i] == "(") ++depth;
    if (tokens[i] == ")" && --depth == 0) return i;
  }
  return tokens.size();
}

// An inline PTX statement that multiplies.
struct Product {
  std::size_t begin = 0, end = 0;  ///< from `asm` to after the `)`, in the text.
  std::string call;                ///< of the function above with the same operands.
};

std::optional<Product> product_at(const std::string& text,
                                  const std::vector<std::string_view>& tokens, std::size_t at) {
  std::size_t open = at + 1;
  while (open < tokens.size() && tokens[open] != "(") ++open;
  const std::size_t end = closing(tokens, open);
  if (end == tokens.size() || open + 1 >= end) return std::nullopt;
  const std::string_view ptx = tokens[open + 1];
  const char* name = ptx.starts_with("\"mma.sync.aligned.m16n8k16.row.col.f32.f16")   ? "m16n8k16"
                     : ptx.starts_with("\"mma.sync.aligned.m16n8k8.row.col.f32.tf32") ? "m16n8k8"
                                                                                      : nullptr;
  if (name == nullptr) return std::nullopt;
  const auto position = [&](std::size_t token) {
    return static_cast<std::size_t>(tokens[token].data() - text.data());
  };
  std::vector<std::string> operands;
  for (std::size_t i = open + 1; i < end; ++i) {
    if (tokens[i] != "(") continue;
    const std::size_t close = closing(tokens, i);
    operands.push_back(text.substr(position(i) + 1, position(close) - position(i) - 1));
    i = close;
  }
  return Product{position(at), position(end) + 1,
                 fmt::format("scalar_{}({})", name, fmt::join(operands, ", "))};
}

std::string without_inline_products(const std::string& text) {
  const std::vector<std::string_view> tokens = lesson::tokens_of(text);
  std::string result;
  std::size_t done = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i] != "asm") continue;
    const std::optional<Product> product = product_at(text, tokens, i);
    if (!product) continue;
    result += text.substr(done, product->begin - done) + product->call;
    done = product->end;
  }
  return done == 0 ? std::string() : result + text.substr(done);
}

}  // namespace

std::string scalar_products(const std::string& text) {
  if (const std::string scalar = without_inline_products(text); !scalar.empty()) {
    return with_functions(scalar, inline_products);
  }
  if (!identifiers_of(text).contains("mma_sync")) return {};
  return with_functions(with_words(text, {{"wmma", "scalar_wmma"}}), wmma_products);
}

}  // namespace warpwise::tutor
