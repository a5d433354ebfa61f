/// \file
/// The operations of a pass in bf16, and device memory for one.
#include "../ch07_attention/attention_rungs.h"
#include "first_layers.h"
#include "half_pass.h"
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

}  // namespace

Operations half_operations_of(const HalfPass& pass) { return HalfBuilder(pass).whole(); }

std::vector<bf16> rounded(const std::vector<float>& values) {
  std::vector<bf16> halves;
  halves.reserve(values.size());
  for (const float value : values) halves.push_back(__float2bfloat16(value));
  return halves;
}

OwnHalfPass::OwnHalfPass(const Checkpoint& model, const std::vector<int>& tokens, int B, int T)
    : own_(model, tokens, B, T) {
  const std::size_t count = std::size_t(B) * T * model.dimensions.channels;
  const std::vector<bf16> halves = rounded(model.values);
  half_.pass = own_.pass();
  bf16* weights = room(halves.size(), "weights in bf16");
  memory_.back().copy_from(halves.data(), 2 * halves.size());
  half_.halves = weights;
  half_.a = room(count, "a in bf16");
  half_.b = room(4 * count, "b in bf16");
}

bf16* OwnHalfPass::room(std::size_t count, const char* name) {
  return static_cast<bf16*>(memory_.emplace_back(2 * count, name).get());
}

}  // namespace gpt
