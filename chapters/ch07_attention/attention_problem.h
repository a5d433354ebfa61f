#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "layout.h"
#include "lesson/run.h"

/// \file
/// What the ladders of this chapter compute, their inputs and their references.
namespace attention {

/// Which numbers a problem is made of.
enum class Numbers {
  /// q has four entries of +1 or -1, k is -1, 0 or 1, v is a multiple of 1/4 in [-1, 1]. With a
  /// scale
  /// of ln 2 a weight is 2^(s - m): each is exact in bf16, and so is each sum of 22 bits, in
  /// whatever order it is added. Only the last division rounds, so one lost key is seen.
  exact,
  /// Uniform in [-1, 1), scale 1 / sqrt(64): what a model has. One lost key moves a result by
  /// about 1 / T, less than bf16 rounds: such inputs cannot find it.
  ordinary,
};

/// Whether key `key` counts for query `query`.
inline bool counts(bool causal, int query, int key) { return !causal || key <= query; }

/// (B, T, 3C) on the host. @param T_first rows of a sequence that are made before the others: the
/// first tokens of a longer problem are those of a shorter one.
std::vector<float> attention_input(const Extents& e, Numbers numbers);

/// What an exponent of 2 multiplies a score by: scale * log2(e).
float scale_log2(Numbers numbers);

/// The result in double, and what a rounding of P and V can move: for each element the weighted
/// mean of |v|.
struct Expected {
  std::vector<double> out;
  double largest_mean = 0;  ///< the largest weighted mean of |v|
};
/// (B, T, C). Takes all cores. @param qkv as the kernel sees it: rounded, if it reads bf16.
Expected attention_reference(const std::vector<float>& qkv, const Extents& e, float scale_log2,
                             bool causal);

/// A problem of a ladder in device memory. expect_float() or expect_bf16() names the output.
struct Attention {
  Extents e;
  bool causal;
  Numbers numbers;
  float scale = 0;                 ///< scale_log2(numbers)
  const float* qkv = nullptr;      ///< (B, T, 3C), device
  const bf16* qkv_bf16 = nullptr;  ///< the same rounded, device
  float* out = nullptr;            ///< (B, T, C), device
  bf16* out_bf16 = nullptr;        ///< the same

  Attention(warpwise::lesson::Trial& run, bool causal, Numbers numbers);
  /// From here on rungs are compared with the result in float, or in bf16.
  void expect_float(warpwise::lesson::Trial& run);
  void expect_bf16(warpwise::lesson::Trial& run);

 private:
  std::vector<float> host_;
};

/// "4x1024x768": sequences, tokens, channels.
Extents extents_of(const warpwise::lesson::Size& size);

/// Each number rounded to bf16, and the same as floats.
std::vector<bf16> as_bf16(const std::vector<float>& values);
std::vector<float> rounded(const std::vector<float>& values);

/// Bytes and operations of any way: q, k, v and the output once, two products of the pairs that
/// count.
warpwise::lesson::Needs attention_needs(const warpwise::lesson::Size& size, bool causal);

/// Compute capability of the device in use.
int compute_capability_major();

}  // namespace attention
