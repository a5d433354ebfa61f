#pragma once
#include <cuda_bf16.h>

#include <cstdint>
#include <vector>

#include "lesson/compare/product_reference.h"
#include "lesson/run.h"

/// \file
/// The product that this chapter's ladders compute, C = A * B^T, and its inputs.
namespace tensor {

__host__ __device__ inline int ceil_div(int a, int b) { return (a + b - 1) / b; }

/// Whether the device in use multiplies bf16 on tensor cores and copies asynchronously: sm_80.
bool has_bf16_mma();

/// Why a rung is skipped where has_bf16_mma() is false.
inline constexpr const char* needs_sm_80 = "bf16 on tensor cores and cp.async begin with sm_80";

/// Whether the device in use has a warpgroup's products: sm_90a, which is Hopper alone.
bool has_wgmma();

/// Why a rung is skipped where has_wgmma() is false.
inline constexpr const char* needs_sm_90a = "wgmma is an instruction of Hopper (sm_90a) alone";

/// Inputs of one size, in device memory, as float and as bf16, and the output.
///
/// The rows are as the layers of a transformer have them: A holds M tokens, B the weights of N
/// outputs, both with K numbers a row. K is rounded up to `depth`, a multiple of 8, and the rest of
/// a row is zeros: so each row begins at a multiple of 16 bytes, and the zeros add nothing.
///
/// All inputs are multiples of 1/128 in [-1, 1]: bf16 holds them exactly, and fp32 every product
/// and every sum that occurs (multiples of 2^-14 below 1024 in size). So every rung, in whatever
/// order it adds and with whatever type, has to give the same bits: the tolerance is zero. What the
/// types lose on ordinary numbers, the ladder of precision.cpp shows.
struct Product {
  int M, N, depth;
  const float *a = nullptr, *b = nullptr;
  const __nv_bfloat16 *a_bf16 = nullptr, *b_bf16 = nullptr;
  float* c = nullptr;

  /// Without arrays.
  Product(int M, int N, int depth) : M(M), N(N), depth(depth) {}
  /// The problem of a ladder.
  /// @param bias added to each row of the expected C; empty: none.
  explicit Product(warpwise::lesson::Trial& run, const std::vector<float>& bias = {});
};

/// Rungs 9 to 11 of product.cu, which are in warpgroup.sm_90a.cu.
void warpgroup_rungs(warpwise::lesson::Trial& run, const Product& p);

/// Rungs 12 to 14 of product.cu, which are in persistent.sm_90a.cu.
void persistent_rungs(warpwise::lesson::Trial& run, const Product& p);

/// The rungs of layers.cpp, which are in persistent.sm_90a.cu.
void layer_rungs(warpwise::lesson::Trial& run, const Product& p);

/// Starts the kernel of a rung of product.cu: fp32 tiles; TF32 by wmma; bf16 by the swizzled tiles.
void start_fp32_tiles(const Product& p);
void start_tf32_tiles(const Product& p);
void start_bf16_tiles(const Product& p);

/// Host numbers, rows padded with zeros. @param seed of the generator: other numbers.
std::vector<float> product_input(int rows, int K, int depth, std::uint32_t seed);

/// Each number rounded to bf16.
std::vector<__nv_bfloat16> as_bf16(const std::vector<float>& values);

/// Bytes and operations that any way of computing it needs, with inputs of that many bytes.
warpwise::lesson::Needs product_needs(const warpwise::lesson::Size& size, int input_bytes);

}  // namespace tensor
