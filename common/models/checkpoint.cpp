#include "models/checkpoint.h"

#include <bit>
#include <cstring>
#include <numeric>

#include "models/model_file.h"

namespace warpwise::models {
namespace {

constexpr int fp32_version = 3, bf16_version = 5, debug_version = 2;
constexpr int most_of_a_dimension = 1 << 20;

std::uint64_t count_of(const Dimensions& d) {
  const auto sizes = tensor_sizes(d);
  return std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
}

/// A bf16 is the upper half of a float.
float widened(std::uint16_t bits) { return std::bit_cast<float>(std::uint32_t{bits} << 16); }

void scatter(std::vector<float>& values, std::uint64_t begin, std::uint64_t count, float middle,
             std::uint32_t& state) {
  // A uniform number of standard deviation 0.02 is below 0.02 sqrt(3).
  constexpr float width = 0.0346410F;
  for (std::uint64_t i = begin; i < begin + count; ++i) {
    state = state * 1664525U + 1013904223U;
    values[i] = middle + width * 0x1p-31F * static_cast<float>(static_cast<std::int32_t>(state));
  }
}

}  // namespace

std::array<std::uint64_t, tensor_count> tensor_sizes(const Dimensions& d) {
  const std::uint64_t L = d.layers, C = d.channels, LC = L * C;
  return {
      d.padded_tokens * C, d.max_tokens * C, LC,         LC, 3 * LC * C, 3 * LC, LC * C, LC, LC, LC,
      4 * LC * C,          4 * LC,           4 * LC * C, LC, C,          C};
}

std::string problem_of(const Dimensions& d) {
  const auto say = [](const char* name, int value) {
    return std::string(name) + " " + std::to_string(value);
  };
  const std::pair<const char*, int> all[] = {
      {"max_seq_len", d.max_tokens}, {"vocab_size", d.tokens},
      {"num_layers", d.layers},      {"num_heads", d.heads},
      {"channels", d.channels},      {"padded_vocab_size", d.padded_tokens}};
  for (const auto& [name, value] : all) {
    if (value < 1 || value > most_of_a_dimension) {
      return say(name, value) + "; expected 1 to " + std::to_string(most_of_a_dimension);
    }
  }
  if (d.tokens > d.padded_tokens) {
    return say("vocab_size", d.tokens) + " is above " + say("padded_vocab_size", d.padded_tokens);
  }
  if (d.channels % d.heads != 0) {
    return say("channels", d.channels) + " is not a multiple of " + say("num_heads", d.heads);
  }
  return {};
}

std::uint64_t Checkpoint::begin(Tensor tensor, int layer) const {
  const auto sizes = tensor_sizes(dimensions);
  const auto at = static_cast<std::size_t>(tensor);
  const std::uint64_t first = std::accumulate(sizes.begin(), sizes.begin() + at, std::uint64_t{0});
  return first + layer * (sizes[at] / dimensions.layers);
}

Checkpoint read_checkpoint(const std::string& file) {
  const ModelFile in(file, Magic::checkpoint);
  const int version = in.header(1);
  if (version != fp32_version && version != bf16_version) {
    in.refuse("version " + std::to_string(version) +
              "; expected 3 (fp32) or 5 (bf16). Files of before the padded vocabulary have 1: "
              "export it again.");
  }
  Checkpoint model{
      {in.header(2), in.header(3), in.header(4), in.header(5), in.header(6), in.header(7)}, {}};
  if (const std::string problem = problem_of(model.dimensions); !problem.empty()) {
    in.refuse("header: " + problem + ".");
  }
  const std::uint64_t count = count_of(model.dimensions);
  in.expect_body(count * (version == fp32_version ? 4 : 2));
  model.values.resize(count);
  if (version == fp32_version) {
    std::memcpy(model.values.data(), in.body().data(), in.body().size());
    return model;
  }
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, in.body().data() + 2 * i, sizeof bits);
    model.values[i] = widened(bits);
  }
  return model;
}

Checkpoint seeded_checkpoint(const Dimensions& d, std::uint32_t seed) {
  Checkpoint model{d, std::vector<float>(count_of(d))};
  const auto sizes = tensor_sizes(d);
  std::uint64_t begin = 0;
  for (std::size_t i = 0; i < tensor_count; ++i) {
    const auto tensor = static_cast<Tensor>(i);
    const bool is_scale =
        tensor == Tensor::ln1w || tensor == Tensor::ln2w || tensor == Tensor::lnfw;
    const std::uint64_t count =
        tensor == Tensor::wte ? std::uint64_t(d.tokens) * d.channels : sizes[i];
    scatter(model.values, begin, count, is_scale ? 1.0F : 0.0F, seed);
    begin += sizes[i];
  }
  return model;
}

DebugState read_debug_state(const std::string& file, const Dimensions& d) {
  const ModelFile in(file, Magic::debug_state);
  if (in.header(1) != debug_version) {
    in.refuse("version " + std::to_string(in.header(1)) + "; expected 2.");
  }
  DebugState state;
  state.B = in.header(2), state.T = in.header(3);
  if (state.B < 1 || state.T < 1 || state.T > d.max_tokens || state.B > most_of_a_dimension) {
    in.refuse("header: B " + std::to_string(state.B) + ", T " + std::to_string(state.T) +
              "; the model takes 1 to " + std::to_string(d.max_tokens) + " tokens.");
  }
  const std::uint64_t tokens = std::uint64_t(state.B) * state.T;
  const std::uint64_t alone = 4 * (2 * tokens + tokens * d.tokens + 1);
  const std::uint64_t with_gradients = alone + 4 * count_of(d);
  if (in.body().size() != with_gradients) in.expect_body(alone);
  const char* from = in.body().data();
  const auto take = [&from](auto& values, std::uint64_t count) {
    values.resize(count);
    std::memcpy(values.data(), from, count * 4);
    from += count * 4;
  };
  take(state.x, tokens);
  take(state.y, tokens);
  take(state.logits, tokens * d.tokens);
  std::memcpy(&state.loss, from, sizeof state.loss);
  for (const int id : state.x) {
    if (id < 0 || id >= d.tokens) {
      in.refuse("token " + std::to_string(id) + "; the model has " + std::to_string(d.tokens) +
                ".");
    }
  }
  return state;
}

}  // namespace warpwise::models
