/// \file
/// Inputs and reference of this chapter's product.
#include "product_problem.h"

#include <cuda_runtime.h>

#include <utility>

#include "base/numbers.h"

namespace lesson = warpwise::lesson;

namespace tensor {
namespace {

int compute_capability_major() {
  int major = 0;
  lesson::check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
  return major;
}

/// The reference of the size asked for last: the ladders ask for the same large size in turn.
const std::vector<double>& reference(const std::vector<float>& a, const std::vector<float>& b,
                                     int M, int N, int depth, const lesson::Size& size) {
  static lesson::Size known;
  static std::vector<double> c;
  if (!(size == known)) {
    c = lesson::product_reference(a, b, M, N, depth, lesson::SecondMatrix::transposed);
    known = size;
  }
  return c;
}

}  // namespace

bool has_bf16_mma() { return compute_capability_major() >= 8; }

bool has_wgmma() { return compute_capability_major() == 9; }

std::vector<float> product_input(int rows, int K, int depth, std::uint32_t seed) {
  lesson::RandomBits bits(seed);
  std::vector<float> values(static_cast<std::size_t>(rows) * depth);
  for (int row = 0; row < rows; ++row) {
    for (int k = 0; k < K; ++k) {
      const int from_0_to_256 = static_cast<int>((bits() >> 8) % 257U);
      values[static_cast<std::size_t>(row) * depth + k] =
          static_cast<float>(from_0_to_256 - 128) / 128;
    }
  }
  return values;
}

std::vector<__nv_bfloat16> as_bf16(const std::vector<float>& values) {
  std::vector<__nv_bfloat16> rounded;
  rounded.reserve(values.size());
  for (float value : values) rounded.push_back(__float2bfloat16(value));
  return rounded;
}

Product::Product(lesson::Trial& run, const std::vector<float>& bias)
    : M(run.size()[0]), N(run.size()[1]), depth(ceil_div(run.size()[2], 8) * 8) {
  const std::vector<float> host_a = product_input(M, run.size()[2], depth, 1);
  const std::vector<float> host_b = product_input(N, run.size()[2], depth, 2);
  a = run.input("a", host_a);
  b = run.input("b", host_b);
  a_bf16 = run.input("a_bf16", as_bf16(host_a));
  b_bf16 = run.input("b_bf16", as_bf16(host_b));
  std::vector<double> expected = reference(host_a, host_b, M, N, depth, run.size());
  for (std::size_t i = 0; !bias.empty() && i < expected.size(); ++i) expected[i] += bias[i % N];
  c = run.output("c", std::move(expected), {}, N);
}

lesson::Needs product_needs(const lesson::Size& size, int input_bytes) {
  const double M = size[0], N = size[1], K = size[2];
  return {
      .bytes = input_bytes * (M + N) * K + 4 * M * N, .flops = 2 * M * N * K, .tensor_cores = true};
}

}  // namespace tensor
