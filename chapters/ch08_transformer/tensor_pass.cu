/// \file
/// The pass in bf16: products and attention on tensor cores, the residual stream in fp32.
///
/// The question: an fp32 pass may be wrong by its last digits alone. Which numbers say whether a
/// pass in bf16 is right?
///
///     build/ch08_transformer --only bf16
#include <algorithm>
#include <cmath>

#include "../ch07_attention/attention_rungs.h"
#include "base/numbers.h"
#include "first_layers.h"
#include "gpt.h"
#include "recorded.h"
#include "row_norms.h"
#include "tensor_linear.h"

namespace lesson = warpwise::lesson;

namespace tensor {

// How chapter 8's products are cut: wide ones, and those of few columns.
using WidePipeline = Tiling<128, 128, 32, 2, 64, 64, 2>;
using NarrowPipeline = Tiling<64, 64, 64, 2, 32, 32, 2>;

}  // namespace tensor

namespace gpt {
namespace {

using tensor::NarrowPipeline;
using tensor::WidePipeline;

constexpr float scale_log2 = 0.125F * 1.4426950408889634F;

constexpr int narrow = 1024;

/// A product with weights and what belongs to it.
struct HalfLinear {
  const bf16 *x, *w;
  const float* bias;
  void* y;  ///< bf16 or float
  int M, N, K;
};

/// What a product leaves.
enum class Leaves { halves, halves_after_gelu, floats };

template <class T, class Out, bool with_gelu>
void launch_pipelined(const HalfLinear& l, cudaStream_t stream) {
  const auto* kernel = reinterpret_cast<const void*>(linear_pipelined<T, Out, with_gelu>);
  const lesson::Shape shape{.grid = ceil_div(l.M, T::block_m) * ceil_div(l.N, T::block_n),
                            .block = T::threads,
                            .shared_bytes = T::shared_bytes,
                            .stream = stream};
  lesson::bind_launch(kernel, shape,
                      std::tuple(l.x, l.w, l.bias, static_cast<Out*>(l.y), l.M, l.N, l.K))();
}

template <class Out, bool with_gelu>
void launch_by_width(const HalfLinear& l, cudaStream_t stream) {
  l.N <= narrow ? launch_pipelined<NarrowPipeline, Out, with_gelu>(l, stream)
                : launch_pipelined<WidePipeline, Out, with_gelu>(l, stream);
}

void start_product(const HalfLinear& l, Leaves leaves, cudaStream_t stream) {
  switch (leaves) {
    case Leaves::halves:
      return launch_by_width<bf16, false>(l, stream);
    case Leaves::halves_after_gelu:
      return launch_by_width<bf16, true>(l, stream);
    case Leaves::floats:
      return launch_by_width<float, false>(l, stream);
  }
}

/// What a pass works on. Norms, biases and embeddings are read in fp32, products read `halves`.
struct HalfPass {
  Pass pass;                     ///< of its buffers x, y and logits are used.
  const bf16* halves = nullptr;  ///< all weights, at the same places, device.
  bf16* a = nullptr;             ///< (B T, C): a normalised row, then the attention's result.
  bf16* b = nullptr;             ///< (B T, 4C): q, k and v, then the hidden layer.
};

class HalfBuilder {
 public:
  explicit HalfBuilder(const HalfPass& pass)
      : h_(pass), p_(pass.pass), M_(p_.rows()), C_(p_.d().channels) {}

  Operations whole() {
    const Pass p = p_;
    const int C = C_;
    push("embedding", 12 * numbers(), numbers(),
         [=](cudaStream_t stream) {
           embed<<<p.rows(), 192, 0, stream>>>(p.tokens, p.weights.of(Tensor::wte),
                                               p.weights.of(Tensor::wpe), p.buffers.x, p.T, C);
         },
         {{Stage::embedding, p.buffers.x}});
    norm();
    for (layer_ = 0; layer_ < p.d().layers; ++layer_) layer();
    layer_ = 0;
    logits();
    return all_;
  }

 private:
  double numbers() const { return static_cast<double>(M_) * C_; }

  void push(const char* name, double bytes, double flops, std::function<void(cudaStream_t)> start,
            std::vector<Result> results) {
    all_.push_back({.name = name,
                    .bytes = bytes,
                    .flops = flops,
                    .start = std::move(start),
                    .results = std::move(results),
                    .layer = layer_});
  }

  void product(const char* name, const bf16* x, Tensor w, Tensor bias, void* y, Leaves leaves,
               int N, int K, std::vector<Result> results) {
    const HalfLinear l{
        x, h_.halves + p_.weights.host->begin(w, layer_), p_.weights.of(bias, layer_), y, M_, N, K};
    const double out_bytes = leaves == Leaves::floats ? 4 : 2;
    const double bytes = 2.0 * K * (double(M_) + N) + out_bytes * M_ * N;
    push(
        name, bytes, 2.0 * M_ * N * K,
        [=](cudaStream_t stream) { start_product(l, leaves, stream); }, std::move(results));
  }

  template <class Use>
  void with_row(const Use& use) {
    if (!rows::with_packs<4>(C_, use)) throw lesson::Stop(lesson::bad_environment, rows::too_wide);
  }

  void norm() {
    const HalfPass h = h_;
    const Pass p = p_;
    const int M = M_, C = C_;
    with_row([&](auto packs) {
      push("LayerNorm", 6 * numbers(), 8 * numbers(),
           [=](cudaStream_t stream) {
             const lesson::Shape shape = rows::warp_shape(M);
             norm_warp<decltype(packs)::value><<<shape.grid, shape.block, 0, stream>>>(
                 p.buffers.x, p.weights.of(Tensor::ln1w), p.weights.of(Tensor::ln1b), h.a, M, C,
                 static_cast<float>(p.flavour.epsilon));
           },
           {{Stage::norm_1, nullptr, h.a}});
    });
  }

  void residual(Stage sum, Stage norm_stage, const float* weight, const float* bias) {
    const HalfPass h = h_;
    const Pass p = p_;
    const int M = M_, C = C_;
    with_row([&](auto packs) {
      push("residual + LayerNorm", 14 * numbers(), 9 * numbers(),
           [=](cudaStream_t stream) {
             const lesson::Shape shape = rows::warp_shape(M);
             residual_norm<decltype(packs)::value><<<shape.grid, shape.block, 0, stream>>>(
                 p.buffers.x, p.buffers.y, weight, bias, h.a, M, C,
                 static_cast<float>(p.flavour.epsilon));
           },
           {{sum, p.buffers.x}, {norm_stage, nullptr, h.a}});
    });
  }

  void mix() {
    const HalfPass h = h_;
    const attention::Extents e{p_.B, p_.T, p_.d().heads};
    const double pairs = e.N() * 0.5 * p_.T * (p_.T + 1.0);
    push("attention", 8 * numbers(), 4 * pairs * attention::head_size,
         [=](cudaStream_t stream) {
           attention::start_warp_products(h.b, h.a, e, scale_log2, true, stream);
         },
         {{Stage::attention, nullptr, h.a}});
  }

  /// Chapter 6's product alone: wte has no bias.
  void logits() {
    const bf16 *a = h_.a, *w = h_.halves + p_.weights.host->begin(Tensor::wte);
    float* to = p_.buffers.logits;
    const int M = M_, N = p_.d().padded_tokens, K = C_;
    const double bytes = 2.0 * K * (double(M) + N) + 4.0 * M * N;
    push("logits", bytes, 2.0 * M * N * K,
         [=](cudaStream_t stream) {
           using T = WidePipeline;
           const auto* kernel =
               reinterpret_cast<const void*>(tensor::product_pipelined<WidePipeline>);
           const lesson::Shape shape{.grid = ceil_div(M, T::block_m) * ceil_div(N, T::block_n),
                                     .block = T::threads,
                                     .shared_bytes = T::shared_bytes,
                                     .stream = stream};
           lesson::bind_launch(kernel, shape, std::tuple(a, w, to, M, N, K))();
         },
         {{Stage::logits, to}});
  }

  void layer() {
    const Weights& w = p_.weights;
    float* y = p_.buffers.y;
    product("qkv + bias", h_.a, Tensor::qkvw, Tensor::qkvb, h_.b, Leaves::halves, 3 * C_, C_,
            {{Stage::qkv, nullptr, h_.b}});
    mix();
    product("attproj + bias", h_.a, Tensor::attprojw, Tensor::attprojb, y, Leaves::floats, C_, C_,
            {{Stage::attproj, y}});
    residual(Stage::sum_1, Stage::norm_2, w.of(Tensor::ln2w, layer_), w.of(Tensor::ln2b, layer_));
    product("fc + bias + GELU", h_.a, Tensor::fcw, Tensor::fcb, h_.b, Leaves::halves_after_gelu,
            4 * C_, C_, {{Stage::gelu, nullptr, h_.b}});
    product("fcproj + bias", h_.b, Tensor::fcprojw, Tensor::fcprojb, y, Leaves::floats, C_, 4 * C_,
            {{Stage::fcproj, y}});
    const bool last = layer_ + 1 == p_.d().layers;
    residual(Stage::sum_2, last ? Stage::norm_f : Stage::norm_1,
             last ? w.of(Tensor::lnfw) : w.of(Tensor::ln1w, layer_ + 1),
             last ? w.of(Tensor::lnfb) : w.of(Tensor::ln1b, layer_ + 1));
  }

  const HalfPass& h_;
  const Pass& p_;
  int M_, C_;
  int layer_ = 0;
  Operations all_;
};

/// Device memory of a pass in bf16: that of an fp32 one and what is bf16.
class OwnHalfPass {
 public:
  OwnHalfPass(const Checkpoint& model, const std::vector<int>& tokens, int B, int T)
      : own_(model, tokens, B, T) {
    const std::size_t count = std::size_t(B) * T * model.dimensions.channels;
    std::vector<bf16> halves;
    halves.reserve(model.values.size());
    for (const float value : model.values) halves.push_back(__float2bfloat16(value));
    half_.pass = own_.pass();
    bf16* weights = room(halves.size(), "weights in bf16");
    memory_.back().copy_from(halves.data(), 2 * halves.size());
    half_.halves = weights;
    half_.a = room(count, "a in bf16");
    half_.b = room(4 * count, "b in bf16");
  }

  Operations operations() const { return HalfBuilder(half_).whole(); }
  std::vector<float> logits() const { return own_.logits(); }

 private:
  bf16* room(std::size_t count, const char* name) {
    return static_cast<bf16*>(memory_.emplace_back(2 * count, name).get());
  }

  OwnPass own_;
  std::vector<lesson::DeviceBytes> memory_;
  HalfPass half_;
};

/// Distances of log-probabilities, over all rows and tokens.
struct Likelihoods {
  double mean = 0, largest = 0;
  double divergence = 0;  ///< mean over the rows of sum p (log p - log q), nats.
  double of_logit = 0;    ///< largest distance of a logit.
  int same = 0, rows = 0;
};

Likelihoods compare(const Dimensions& d, const std::vector<float>& got,
                    const std::vector<double>& right) {
  const int V = d.tokens;
  Likelihoods all;
  all.rows = static_cast<int>(got.size() / d.padded_tokens);
  for (int row = 0; row < all.rows; ++row) {
    const float* ours = &got[std::size_t(row) * d.padded_tokens];
    const double* theirs = &right[std::size_t(row) * d.padded_tokens];
    const double total = log_of_sum(ours, V), their_total = log_of_sum(theirs, V);
    for (int v = 0; v < V; ++v) {
      const double log_p = theirs[v] - their_total, log_q = ours[v] - total;
      const double error = std::fabs(log_p - log_q);
      keep_largest(all.largest, error);
      keep_largest(all.of_logit, std::fabs(ours[v] - theirs[v]));
      all.mean += error / (double(V) * all.rows);
      all.divergence += std::exp(log_p) * (log_p - log_q) / all.rows;
    }
    all.same +=
        std::max_element(ours, ours + V) - ours == std::max_element(theirs, theirs + V) - theirs;
  }
  return all;
}

std::string digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2e", value);
  return text;
}

constexpr const char* needs_sm_80 = "bf16 products need compute capability 8.0";

/// The rung against the fp32 one, in units that mean something.
lesson::Demonstration bf16_logits() {
  constexpr int B = 2, T = 33;
  const Checkpoint& model = model_for(T);
  const Dimensions& d = model.dimensions;
  const std::vector<int> tokens = tokens_of(d, B, T);
  const std::vector<double> right = reference(model, tokens, T).at({0, Stage::logits});
  lesson::Demonstration table{
      .title = "Logits and log-probabilities, 2 x 33 tokens, against double on the host",
      .columns = {"pass", "largest error of a logit", "of a log-probability", "mean", "KL, nats",
                  "same most likely token"},
      .rows = {}};
  const auto add_row = [&](const char* name, const std::vector<float>& logits) {
    const Likelihoods found = compare(d, logits, right);
    table.rows.push_back({name, digits(found.of_logit), digits(found.largest), digits(found.mean),
                          digits(found.divergence),
                          std::to_string(found.same) + " of " + std::to_string(found.rows)});
    return found;
  };
  const OwnPass own(model, tokens, B, T);
  std::string absent;
  start(operations_of(Rung::attention, own.pass(), absent));
  add_row("fp32, fused attention", own.logits());
  if (attention::compute_capability_major() < 8) {
    table.note = needs_sm_80;
    return table;
  }
  const OwnHalfPass half(model, tokens, B, T);
  const Operations operations = half.operations();
  start(operations);
  const std::vector<float> by_launches = half.logits();
  const Likelihoods found = add_row("bf16, tensor cores", by_launches);
  const Recorded graph([&](cudaStream_t stream) { start(operations, stream); });
  graph.launch();
  if (half.logits() != by_launches) {
    throw lesson::Stop(lesson::something_wrong, "bf16: the graph's logits differ from launches");
  }
  // Several times what rounding gives here; a lost key or a lost bias gives far more.
  if (!(found.divergence <= 1e-3) || !(found.largest <= 0.5)) {
    throw lesson::Stop(lesson::something_wrong, "bf16: a log-probability is off by " +
                                                    digits(found.largest) + ", the divergence is " +
                                                    digits(found.divergence));
  }
  table.note = "A graph of the bf16 pass gave the same bits.";
  return table;
}

/// Every stage of every layer, relative to the stage's largest number.
lesson::Demonstration bf16_activations() {
  constexpr int B = 2, T = 33;
  const Checkpoint& model = model_for(T);
  const std::vector<int> tokens = tokens_of(model.dimensions, B, T);
  lesson::Demonstration table{
      .title = "bf16: largest error of each result, over the largest number of that result",
      .columns = {"result", "error"},
      .rows = {}};
  if (attention::compute_capability_major() < 8) {
    table.note = needs_sm_80;
    return table;
  }
  // Some ten roundings of 2^-9 in sequence.
  constexpr double most = 0.02;
  const OwnHalfPass half(model, tokens, B, T);
  const std::map<Stage, double> errors =
      errors_of("bf16", half.operations(), reference(model, tokens, T), most, true);
  for (const auto& [stage, error] : errors) table.rows.push_back({name_of(stage), digits(error)});
  table.note = "One rounding to bf16 is at most 2^-9 = 1.95e-03 of a number.";
  return table;
}

}  // namespace
}  // namespace gpt

void tensor_pass_tables(lesson::Run& run) {
  run.table("bf16_activations", gpt::bf16_activations);
  run.table("bf16_logits", gpt::bf16_logits);
}
