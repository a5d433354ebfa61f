#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

/// \file
/// The weights of a GPT-2, read from llm.c's checkpoint or made from a seed.
/// \ingroup models
namespace warpwise::models {

/// The numbers in the header; every size of the model follows from it.
struct Dimensions {
  int max_tokens = 0;     ///< rows of the table of positions.
  int tokens = 0;         ///< V: of the vocabulary.
  int layers = 0;         ///< L
  int heads = 0;          ///< H
  int channels = 0;       ///< C
  int padded_tokens = 0;  ///< Vp: rows of wte, those from V on are zeros.
};

/// GPT-2 124M.
inline constexpr Dimensions gpt2_124m{1024, 50257, 12, 12, 768, 50304};

/// The 16 tensors in the order of the file, each for all layers before the next one. Weights of a
/// product are (out, in): y = x * W^T + b.
enum class Tensor {
  wte,
  wpe,
  ln1w,
  ln1b,
  qkvw,
  qkvb,
  attprojw,
  attprojb,
  ln2w,
  ln2b,
  fcw,
  fcb,
  fcprojw,
  fcprojb,
  lnfw,
  lnfb
};
inline constexpr std::size_t tensor_count = 16;

/// Numbers of each tensor.
std::array<std::uint64_t, tensor_count> tensor_sizes(const Dimensions& d);

/// One line on what makes dimensions impossible, empty where they are possible.
std::string problem_of(const Dimensions& d);

/// A model on the host.
struct Checkpoint {
  Dimensions dimensions;
  std::vector<float> values;  ///< all tensors, one after the other.

  /// Where a tensor begins, or a layer's part of one, in `values`.
  std::uint64_t begin(Tensor tensor, int layer = 0) const;
};

/// Reads version 3 (fp32) or 5 (bf16, widened).
/// @throws std::runtime_error with one line that names the file and what is wrong with it.
Checkpoint read_checkpoint(const std::string& file);

/// Weights that repeat on every machine: uniform, of standard deviation 0.02, as GPT-2 begins its
/// training; LayerNorm weights near 1; padded rows are zeros. For times: such a model knows
/// nothing.
Checkpoint seeded_checkpoint(const Dimensions& d, std::uint32_t seed);

/// Tokens and what a right model makes of them.
struct DebugState {
  int B = 0, T = 0;
  std::vector<int> x, y;      ///< B * T each.
  std::vector<float> logits;  ///< B * T rows of V numbers, not padded.
  float loss = 0;             ///< nats per token.
};

/// Reads a debug state, with or without the gradients that llm.c stores after the loss.
/// @param d of the checkpoint that it belongs to.
/// @throws std::runtime_error as read_checkpoint().
DebugState read_debug_state(const std::string& file, const Dimensions& d);

}  // namespace warpwise::models
