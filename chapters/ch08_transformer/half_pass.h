#pragma once
#include <map>
#include <string>
#include <vector>

#include "../ch07_attention/layout.h"
#include "base/function.h"
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

/// By which of the chapters' kernels: mma.sync, or wgmma with bulk copies, which is Hopper's alone.
enum class HalfRung { pipelines, warpgroups };

/// The rungs by name, and what is missing where they cannot run.
struct NamedRung {
  HalfRung rung;
  const char *name, *needs;
};
inline constexpr NamedRung half_rungs[] = {
    {HalfRung::pipelines, "mma.sync, pipelines", "bf16 products need compute capability 8.0"},
    {HalfRung::warpgroups, "wgmma, bulk copies",
     "wgmma is an instruction of Hopper (sm_90a) alone"}};
/// Whether the device in use runs it.
bool runs(const NamedRung& named);

/// A column of errors per rung that runs, each relative to the stage's largest number.
/// @param errors of a rung, as of errors_of().
warpwise::lesson::Demonstration half_errors_table(
    const std::string& title,
    const std::function<std::map<Stage, double>(const NamedRung&)>& errors);
/// What such an error may be: some ten roundings of 2^-9 in sequence.
inline constexpr double most_bf16_error = 0.02;

/// What all models have in common: from the residual stream in x to its normalised rows in a.
Operations half_layers_of(HalfRung rung, const HalfPass& pass);

/// The operations of GPT-2.
Operations half_operations_of(HalfRung rung, const HalfPass& pass);

/// Each number rounded to bf16.
std::vector<bf16> rounded(const std::vector<float>& values);

/// Device memory for what a pass has in bf16. Lives as long as the object.
class HalfMemory {
 public:
  bf16* room(std::size_t count, const char* name);
  /// The pass with weights and buffers in bf16.
  HalfPass of(const Pass& pass, const std::vector<float>& weights);

 private:
  std::vector<warpwise::lesson::DeviceBytes> memory_;
};

/// A pass in bf16 that is not a ladder's, with its device memory.
class OwnHalfPass {
 public:
  OwnHalfPass(const Checkpoint& model, const std::vector<int>& tokens, int B, int T)
      : own_(model, tokens, B, T), half_(memory_.of(own_.pass(), model.values)) {}
  const HalfPass& pass() const { return half_; }
  /// (B T, Vp), host; waits.
  std::vector<float> logits() const { return own_.logits(); }

 private:
  OwnPass own_;
  HalfMemory memory_;
  HalfPass half_;
};

}  // namespace gpt
