/// \file
/// Which model a size runs, its tokens, and device memory for a pass.
#include "base/numbers.h"
#include "given.h"
#include "gpt.h"

namespace lesson = warpwise::lesson;
namespace models = warpwise::models;

namespace gpt {

const char* name_of(Stage stage) {
  constexpr const char* names[] = {"embedding", "LayerNorm 1", "qkv",   "attention", "attproj",
                                   "sum 1",     "LayerNorm 2", "fc",    "GELU",      "fcproj",
                                   "sum 2",     "LayerNorm f", "logits"};
  return names[static_cast<int>(stage)];
}

int columns_of(Stage stage, const Dimensions& d) {
  switch (stage) {
    case Stage::qkv:
      return 3 * d.channels;
    case Stage::fc:
    case Stage::gelu:
      return 4 * d.channels;
    case Stage::logits:
      return d.padded_tokens;
    default:
      return d.channels;
  }
}

namespace {

/// (N, K) becomes (K, N), in blocks that the caches hold.
void turn(const float* from, float* to, int N, int K) {
  constexpr int block = 32;
  for (int n = 0; n < N; n += block) {
    for (int k = 0; k < K; k += block) {
      for (int i = n; i < std::min(n + block, N); ++i) {
        for (int j = k; j < std::min(k + block, K); ++j) {
          to[std::size_t(j) * N + i] = from[std::size_t(i) * K + j];
        }
      }
    }
  }
}

bool fits_given_model(int T) { return T <= given_model().dimensions.max_tokens; }

}  // namespace

std::vector<float> turned_weights(const Checkpoint& model) {
  const Dimensions& d = model.dimensions;
  std::vector<float> turned = model.values;
  const auto turn_one = [&](Tensor tensor, int layer, int N, int K) {
    const std::uint64_t begin = model.begin(tensor, layer);
    turn(&model.values[begin], &turned[begin], N, K);
  };
  const int C = d.channels;
  turn_one(Tensor::wte, 0, d.padded_tokens, C);
  for (int layer = 0; layer < d.layers; ++layer) {
    turn_one(Tensor::qkvw, layer, 3 * C, C);
    turn_one(Tensor::attprojw, layer, C, C);
    turn_one(Tensor::fcw, layer, 4 * C, C);
    turn_one(Tensor::fcprojw, layer, C, 4 * C);
  }
  return turned;
}

const Checkpoint& model_for(int T) {
  if (fits_given_model(T)) return given_model();
  static const Checkpoint large = models::seeded_checkpoint(models::gpt2_124m, 1);
  return large;
}

const Dimensions& dimensions_for(int T) {
  return fits_given_model(T) ? given_model().dimensions : models::gpt2_124m;
}

std::vector<int> tokens_of(const Dimensions& d, int B, int T) {
  // A row of the longest problem, cut off: rows of shorter problems are its beginning.
  const std::vector<int> all =
      lesson::uniform_indices(static_cast<std::size_t>(B) * d.max_tokens, d.tokens, 8);
  std::vector<int> tokens;
  for (int b = 0; b < B; ++b) {
    const auto row = all.begin() + std::ptrdiff_t{b} * d.max_tokens;
    tokens.insert(tokens.end(), row, row + T);
  }
  return tokens;
}

Pass shape_of(const Checkpoint& shape, int B, int T) {
  Pass pass;
  pass.B = B, pass.T = T;
  pass.weights = {shape.dimensions, &shape, nullptr};
  return pass;
}

lesson::Needs sum_of(const Operations& operations) {
  lesson::Needs needs;
  for (const Operation& operation : operations) {
    needs.bytes += operation.bytes;
    needs.flops += operation.flops;
    needs.tensor_cores |= operation.tensor_cores;
  }
  return needs;
}

std::string scientific(double value, int decimals) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*e", decimals, value);
  return text;
}

lesson::Needs pass_needs(const Dimensions& d, int B, int T) {
  const Checkpoint shape{d, {}};
  std::string absent;
  return sum_of(operations_of(Rung::attention, shape_of(shape, B, T), absent));
}

OwnPass::OwnPass(const Checkpoint& model, const std::vector<int>& tokens, int B, int T) {
  const Dimensions& d = model.dimensions;
  const auto room = [this](std::size_t bytes, const char* name) {
    return memory_.emplace_back(bytes, name).get();
  };
  const auto floats = [&](std::size_t columns, const char* name) {
    return static_cast<float*>(room(4 * columns * B * T, name));
  };
  pass_.B = B, pass_.T = T;
  auto* values = static_cast<float*>(room(4 * model.values.size(), "weights"));
  memory_.back().copy_from(model.values.data(), 4 * model.values.size());
  const std::vector<float> turned = turned_weights(model);
  auto* turned_values = static_cast<float*>(room(4 * turned.size(), "turned weights"));
  memory_.back().copy_from(turned.data(), 4 * turned.size());
  pass_.weights = {d, &model, values, turned_values};
  auto* ids = static_cast<int*>(room(4 * tokens.size(), "tokens"));
  memory_.back().copy_from(tokens.data(), 4 * tokens.size());
  pass_.tokens = ids;
  const std::size_t C = d.channels;
  pass_.buffers = {floats(C, "x"), floats(C, "a"), floats(4 * C, "b"), floats(C, "y"), nullptr};
  pass_.buffers.logits = floats(d.padded_tokens, "logits");
}

std::vector<float> OwnPass::logits() const {
  std::vector<float> host(memory_.back().bytes() / 4);
  memory_.back().copy_to(host.data(), memory_.back().bytes());
  return host;
}

}  // namespace gpt
