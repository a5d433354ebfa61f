/// \file
/// One token at a time: a step runs one row per sequence and keeps keys and values for the next.
///
/// The question: a new token needs the whole pass over all tokens before it, or a cache. What does
/// a step launch, and what does it read?
///
///     build/ch08_transformer --only decode_step
///     build/ch08_transformer --only decode_check
#include <cmath>
#include <optional>

#include "../ch07_attention/decode.h"
#include "base/algorithm.h"
#include "base/numbers.h"
#include "decode_layers.h"
#include "given.h"
#include "gpt.h"
#include "recorded.h"
#include "row_norms.h"

namespace lesson = warpwise::lesson;

namespace gpt {
namespace {

constexpr float scale_log2 = 0.125F * 1.4426950408889634F;

/// What a step works on, device.
struct Step {
  int B = 0, Tmax = 0, prompt = 0;
  Weights weights;
  int *tokens = nullptr, *position = nullptr;  ///< (B, Tmax), B
  Buffers<float> buffers;                      ///< of B rows
  bf16 *q = nullptr, *mixed = nullptr;         ///< (B, C) each
  bf16 *keys = nullptr, *values = nullptr;     ///< (layers, B, H, Tmax, 64) each
  float* parts = nullptr;
  unsigned* arrived = nullptr;
  int splits = 1;

  const Dimensions& d() const { return weights.d; }
};

/// The operations of a step, in their order.
class StepBuilder {
 public:
  explicit StepBuilder(const Step& step) : s_(step), C_(step.d().channels) {}

  Operations whole() {
    const Step s = s_;
    const int C = C_;
    push("embedding", 12.0 * s.B * C, 0, [=](cudaStream_t stream) {
      embed_next<<<s.B, 192, 0, stream>>>(s.tokens, s.position, s.weights.of(Tensor::wte),
                                          s.weights.of(Tensor::wpe), s.buffers.x, s.Tmax, C);
    });
    norm();
    for (layer_ = 0; layer_ < s.d().layers; ++layer_) layer();
    layer_ = 0;
    product<float, false>("logits", s.buffers.a, Tensor::wte, {}, s.buffers.logits,
                          s.d().padded_tokens, C);
    push("next token", 4.0 * s.B * s.d().tokens, 0, [=](cudaStream_t stream) {
      take_best<<<s.B, block_threads, 0, stream>>>(s.buffers.logits, s.tokens, s.position, s.prompt,
                                                   s.Tmax, s.d().tokens, s.d().padded_tokens);
    });
    return all_;
  }

 private:
  void push(const char* name, double bytes, double flops, std::function<void(cudaStream_t)> start) {
    all_.push_back({.name = name, .bytes = bytes, .flops = flops, .start = std::move(start)});
  }

  template <class In, bool with_gelu>
  void product(const char* name, const In* x, Tensor w, std::optional<Tensor> bias, float* y, int N,
               int K) {
    const float* weights = s_.weights.of(w, layer_);
    const float* added = bias ? s_.weights.of(*bias, layer_) : nullptr;
    const int B = s_.B;
    const double bytes = 4.0 * N * K + double(B) * (sizeof(In) * K + 4.0 * N);
    push(name, bytes, 2.0 * B * N * K, [=](cudaStream_t stream) {
      few_rows_product<In, with_gelu>
          <<<ceil_div(N, 4), dim3(32, 4), 0, stream>>>(x, weights, added, y, B, N, K);
    });
  }

  template <class Use>
  void with_row(const Use& use) {
    if (!rows::with_packs<4>(C_, use)) throw lesson::Stop(lesson::bad_environment, rows::too_wide);
  }

  void norm() {
    const Step s = s_;
    const int C = C_;
    with_row([&](auto packs) {
      push("LayerNorm", 8.0 * s.B * C, 8.0 * s.B * C, [=](cudaStream_t stream) {
        norm_warp<decltype(packs)::value><<<ceil_div(s.B, 4), dim3(32, 4), 0, stream>>>(
            s.buffers.x, s.weights.of(Tensor::ln1w), s.weights.of(Tensor::ln1b), s.buffers.a, s.B,
            C, static_cast<float>(Flavour().epsilon));
      });
    });
  }

  void residual(const float* weight, const float* bias) {
    const Step s = s_;
    const int C = C_;
    with_row([&](auto packs) {
      push("residual + LayerNorm", 16.0 * s.B * C, 9.0 * s.B * C, [=](cudaStream_t stream) {
        residual_norm<decltype(packs)::value><<<ceil_div(s.B, 4), dim3(32, 4), 0, stream>>>(
            s.buffers.x, s.buffers.y, weight, bias, s.buffers.a, s.B, C,
            static_cast<float>(Flavour().epsilon));
      });
    });
  }

  void attention_of_layer() {
    const Step s = s_;
    const int H = s.d().heads, C = C_;
    const std::size_t of_layer = std::size_t(s.B) * s.Tmax * C;
    bf16 *keys = s.keys + layer_ * of_layer, *values = s.values + layer_ * of_layer;
    push("to the cache", 18.0 * s.B * C, 0, [=](cudaStream_t stream) {
      keep_token<<<dim3(H, s.B), attention::head_size, 0, stream>>>(s.buffers.b, s.position, s.q,
                                                                    keys, values, H, s.Tmax);
    });
    const double numbers = static_cast<double>(of_layer);
    push("attention", 4 * numbers, 4 * numbers, [=](cudaStream_t stream) {
      const attention::Cache cache{s.q, keys, values, s.position, H, s.Tmax};
      attention::start_decode_in_one(cache, s.parts, s.arrived, s.mixed, s.B * H, s.splits,
                                     scale_log2, stream);
    });
  }

  void layer() {
    const Buffers<float>& to = s_.buffers;
    product<float, false>("qkv + bias", to.a, Tensor::qkvw, Tensor::qkvb, to.b, 3 * C_, C_);
    attention_of_layer();
    product<bf16, false>("attproj + bias", s_.mixed, Tensor::attprojw, Tensor::attprojb, to.y, C_,
                         C_);
    residual(s_.weights.of(Tensor::ln2w, layer_), s_.weights.of(Tensor::ln2b, layer_));
    product<float, true>("fc + bias + GELU", to.a, Tensor::fcw, Tensor::fcb, to.b, 4 * C_, C_);
    product<float, false>("fcproj + bias", to.b, Tensor::fcprojw, Tensor::fcprojb, to.y, C_,
                          4 * C_);
    const bool last = layer_ + 1 == s_.d().layers;
    residual(last ? s_.weights.of(Tensor::lnfw) : s_.weights.of(Tensor::ln1w, layer_ + 1),
             last ? s_.weights.of(Tensor::lnfb) : s_.weights.of(Tensor::ln1b, layer_ + 1));
  }

  const Step& s_;
  int C_;
  int layer_ = 0;
  Operations all_;
};

/// Device memory of a decoder and its sequences, all with the same prompt length.
class Decoder {
 public:
  /// @param prompt (B, length) tokens. @param first position of the first step.
  Decoder(const Checkpoint& model, const std::vector<int>& prompt, int B, int Tmax, int first = 0) {
    const Dimensions& d = model.dimensions;
    const std::size_t C = d.channels, cache = std::size_t(d.layers) * B * Tmax * C;
    step_.B = B, step_.Tmax = Tmax, step_.prompt = static_cast<int>(prompt.size()) / B;
    step_.splits = attention::splits_of({B, Tmax, d.heads}, 2);
    step_.weights = {d, &model, room<float>(model.values.size(), "weights")};
    memory_.back().copy_from(model.values.data(), 4 * model.values.size());
    std::vector<int> tokens(std::size_t(B) * Tmax);
    for (std::size_t i = 0; i < prompt.size(); ++i) {
      tokens[i / step_.prompt * Tmax + i % step_.prompt] = prompt[i];
    }
    step_.tokens = room<int>(tokens.size(), "tokens");
    memory_.back().copy_from(tokens.data(), 4 * tokens.size());
    step_.position = room<int>(B, "position");
    const std::vector<int> position(B, first);
    memory_.back().copy_from(position.data(), 4 * position.size());
    step_.buffers = {room<float>(B * C, "x"), room<float>(B * C, "a"), room<float>(B * 4 * C, "b"),
                     room<float>(B * C, "y"),
                     room<float>(std::size_t(B) * d.padded_tokens, "logits")};
    step_.q = room<bf16>(B * C, "q"), step_.mixed = room<bf16>(B * C, "mixed");
    step_.keys = room<bf16>(cache, "keys"), step_.values = room<bf16>(cache, "values");
    const std::size_t heads = std::size_t(B) * d.heads;
    step_.parts = room<float>(heads * step_.splits * attention::part_floats, "parts");
    step_.arrived = room<unsigned>(heads, "arrived");
    memory_.back().fill(0);
  }

  Operations operations() const { return StepBuilder(step_).whole(); }

  std::vector<float> logits() const {
    return copy<float>(step_.buffers.logits, std::size_t(step_.B) * step_.d().padded_tokens);
  }
  std::vector<int> tokens() const {
    return copy<int>(step_.tokens, std::size_t(step_.B) * step_.Tmax);
  }

 private:
  template <class T>
  T* room(std::size_t count, const char* name) {
    return static_cast<T*>(memory_.emplace_back(sizeof(T) * count, name).get());
  }
  template <class T>
  static std::vector<T> copy(const T* from, std::size_t count) {
    std::vector<T> host(count);
    lesson::check(cudaMemcpy(host.data(), from, sizeof(T) * count, cudaMemcpyDeviceToHost));
    return host;
  }

  std::vector<lesson::DeviceBytes> memory_;
  Step step_;
};

/// Logits of each step, (steps, B, Vp), and what was written, (B, steps).
struct Written {
  std::vector<std::vector<float>> logits;
  std::vector<int> tokens;
};

/// @param recorded whether each step is one launch of a graph.
Written write(const Checkpoint& model, const std::vector<int>& prompt, int B, int steps,
              bool recorded) {
  const int Tmax = model.dimensions.max_tokens;
  const Decoder decoder(model, prompt, B, Tmax);
  const Operations operations = decoder.operations();
  std::optional<Recorded> graph;
  if (recorded) graph.emplace([&](cudaStream_t stream) { start(operations, stream); });
  Written all;
  for (int step = 0; step < steps; ++step) {
    graph ? graph->launch() : start(operations);
    all.logits.push_back(decoder.logits());
  }
  const std::vector<int> tokens = decoder.tokens();
  for (int b = 0; b < B; ++b) {
    const auto row = tokens.begin() + std::ptrdiff_t{b} * Tmax;
    all.tokens.insert(all.tokens.end(), row, row + steps);
  }
  return all;
}

template <class Row>
int most_likely(Row row, int V) {
  return static_cast<int>(std::max_element(row, row + V) - row);
}

/// How far steps are from a pass over the same tokens.
struct Distance {
  double largest = 0;  ///< of a logit.
  int others = 0;      ///< places at which another token is the most likely.
};

/// @param whole (B, T, Vp).
template <class Number>
Distance distance_of(const Dimensions& d, const Written& written, const std::vector<Number>& whole,
                     int B) {
  const int T = static_cast<int>(written.logits.size());
  Distance distance;
  for (int row = 0; row < B * T; ++row) {
    const auto right = whole.begin() + std::ptrdiff_t{row} * d.padded_tokens;
    const float* got = &written.logits[row % T][std::size_t(row / T) * d.padded_tokens];
    for (int v = 0; v < d.tokens; ++v) {
      keep_largest(distance.largest, std::fabs(double{got[v]} - right[v]));
    }
    distance.others += most_likely(got, d.tokens) != most_likely(right, d.tokens);
  }
  return distance;
}

/// Of a number that is near the middle of two of bf16 the rounding may differ; a lost key moves a
/// logit by far more.
constexpr double most_error = 0.02;

lesson::Demonstration decode_check() {
  constexpr int steps = 33, given = 7;
  const Checkpoint& model = model_for(1);
  lesson::Demonstration table{
      .title = "33 tokens one at a time, with a cache in bf16, against passes over the same tokens",
      .columns = {"sequences", "launches per step", "as a graph", "from double, rounded alike",
                  "from the fp32 pass", "other most likely tokens"},
      .rows = {}};
  for (const int B : {1, 3}) {
    const std::vector<int> prompt = tokens_of(model.dimensions, B, given);
    const Written written = write(model, prompt, B, steps, false);
    const Written replayed = write(model, prompt, B, steps, true);
    if (replayed.tokens != written.tokens || replayed.logits != written.logits) {
      throw lesson::Stop(lesson::something_wrong, "decode: the graph's steps differ from launches");
    }
    const std::vector<double> exact =
        reference(model, written.tokens, steps, true).at({0, Stage::logits});
    const Distance error = distance_of(model.dimensions, written, exact, B);
    if (!(error.largest <= most_error)) {
      throw lesson::Stop(lesson::something_wrong,
                         "decode: a logit is off by " + lesson::decimal(error.largest, 4));
    }
    const OwnPass own(model, written.tokens, B, steps);
    std::string absent;
    start(operations_of(Rung::attention, own.pass(), absent));
    const Distance rounding = distance_of(model.dimensions, written, own.logits(), B);
    table.rows.push_back({std::to_string(B),
                          std::to_string(Decoder(model, prompt, B, steps).operations().size()), "1",
                          lesson::decimal(error.largest, 4), lesson::decimal(rounding.largest, 4),
                          std::to_string(rounding.others) + " of " + std::to_string(B * steps)});
  }
  table.note =
      "Distances are the largest of a logit. Launches one by one and a graph gave the same bits. "
      "Seven tokens are given, the decoder chose the others.";
  return table;
}

/// Milliseconds of `steps` steps, by events around all of them.
double milliseconds_of(const std::function<void()>& step, int steps) {
  cudaEvent_t begin = nullptr, end = nullptr;
  lesson::check(cudaEventCreate(&begin));
  lesson::check(cudaEventCreate(&end));
  lesson::check(cudaEventRecord(begin));
  for (int i = 0; i < steps; ++i) step();
  lesson::check(cudaEventRecord(end));
  lesson::check(cudaEventSynchronize(end));
  float milliseconds = 0;
  lesson::check(cudaEventElapsedTime(&milliseconds, begin, end));
  lesson::check(cudaEventDestroy(begin));
  lesson::check(cudaEventDestroy(end));
  return milliseconds;
}

/// A row of 1024 tokens, written from the first to the last.
lesson::Demonstration decode_speed() {
  constexpr int Tmax = 1024, last = 64;
  lesson::Demonstration table{
      .title = "GPT-2 124M, B 1, 1024 tokens one at a time, fp32 weights, cache in bf16",
      .columns = {"a step is", "us per token", "tokens per second", "of the last 64: us"},
      .rows = {}};
  if (!has_gpu()) {
    table.note = "Not timed: this is the simulator.";
    return table;
  }
  const Checkpoint& model = model_for(Tmax);
  for (const bool recorded : {false, true}) {
    const Decoder decoder(model, tokens_of(model.dimensions, 1, 1), 1, Tmax);
    const Operations operations = decoder.operations();
    const Recorded graph([&](cudaStream_t stream) { start(operations, stream); });
    const auto step = [&] { recorded ? graph.launch() : start(operations); };
    const double most = milliseconds_of(step, Tmax - 1 - last);
    const double rest = milliseconds_of(step, last);
    const double us = 1e3 * (most + rest) / (Tmax - 1);
    table.rows.push_back({recorded ? "one graph" : std::to_string(operations.size()) + " launches",
                          lesson::decimal(us, 1), lesson::decimal(1e6 / us, 0),
                          lesson::decimal(1e3 * rest / last, 1)});
  }
  return table;
}

lesson::Demonstration decode_step(const warpwise::occupancy::Gpu& gpu) {
  constexpr int Tmax = 1024;
  const std::string title = "GPT-2 124M, one token after 1023, fp32 weights, cache in bf16";
  if (has_gpu()) {
    const Checkpoint& model = model_for(Tmax);
    const Decoder decoder(model, tokens_of(model.dimensions, 1, 1), 1, Tmax, Tmax - 1);
    lesson::Timer timer(std::size_t{64} << 20);
    return shares_table(title, decoder.operations(), gpu, &timer);
  }
  const Checkpoint shape{warpwise::models::gpt2_124m, {}};
  Step step;
  step.B = 1, step.Tmax = Tmax;
  step.weights = {shape.dimensions, &shape, nullptr};
  return shares_table(title, StepBuilder(step).whole(), gpu, nullptr);
}

}  // namespace
}  // namespace gpt

void decode_tables(lesson::Run& run) {
  run.table("decode_step", [&] { return gpt::decode_step(run.limits()); });
  run.table("decode_check", gpt::decode_check);
  run.table("decode_speed", gpt::decode_speed);
}
