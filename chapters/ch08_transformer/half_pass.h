#pragma once
#include <vector>

#include "../ch07_attention/layout.h"
#include "gpt.h"

/// \file
/// A pass in bf16: products and attention on tensor cores, the residual stream in fp32.
namespace gpt {

using attention::bf16;

/// What a pass works on. Norms, biases and embeddings are read in fp32, products read `halves`.
struct HalfPass {
  Pass pass;                     ///< of its buffers x, y and logits are used.
  const bf16* halves = nullptr;  ///< all weights, at the same places, device.
  bf16* a = nullptr;             ///< (B T, C): a normalised row, then the attention's result.
  bf16* b = nullptr;             ///< (B T, 4C): q, k and v, then the hidden layer.
};

/// The operations of GPT-2.
Operations half_operations_of(const HalfPass& pass);

/// Each number rounded to bf16.
std::vector<bf16> rounded(const std::vector<float>& values);

/// Device memory of a pass in bf16 that is no ladder's. Lives as long as the object.
class OwnHalfPass {
 public:
  OwnHalfPass(const Checkpoint& model, const std::vector<int>& tokens, int B, int T);
  const HalfPass& pass() const { return half_; }
  /// (B T, Vp), host; waits.
  std::vector<float> logits() const { return own_.logits(); }

 private:
  bf16* room(std::size_t count, const char* name);

  OwnPass own_;
  std::vector<warpwise::lesson::DeviceBytes> memory_;
  HalfPass half_;
};

}  // namespace gpt
