/// \file
/// The operations of a pass in bf16, and device memory for one.
#include "../ch07_attention/attention_rungs.h"
#include "first_layers.h"
#include "half_linear.h"
#include "half_pass.h"
#include "row_norms.h"

namespace lesson = warpwise::lesson;

namespace gpt {
namespace {

constexpr float scale_log2 = 0.125F * 1.4426950408889634F;

class HalfBuilder {
 public:
  HalfBuilder(HalfRung rung, const HalfPass& pass)
      : by_warpgroups_(rung == HalfRung::warpgroups),
        h_(pass),
        p_(pass.pass),
        M_(p_.rows()),
        C_(p_.d().channels) {}

  Operations whole() {
    const Pass p = p_;
    const int C = C_;
    push("embedding", 12 * numbers(), numbers(),
         [=](cudaStream_t stream) {
           embed<<<p.rows(), 192, 0, stream>>>(p.tokens, p.weights.of(Tensor::wte),
                                               p.weights.of(Tensor::wpe), p.buffers.x, p.T, C);
         },
         {{Stage::embedding, p.buffers.x}});
    layers();
    product("logits", h_.a, Tensor::wte, {}, p.buffers.logits, Leaves::floats, p.d().padded_tokens,
            C_, {{Stage::logits, p.buffers.logits}});
    return all_;
  }

  /// From the residual stream in x to its normalised rows in a.
  Operations layers() {
    norm();
    for (layer_ = 0; layer_ < p_.d().layers; ++layer_) layer();
    layer_ = 0;
    return all_;
  }

 private:
  double numbers() const { return static_cast<double>(M_) * C_; }

  void push(const char* name, double bytes, double flops, std::function<void(cudaStream_t)> start,
            std::vector<Result> results) {
    all_.push_back({.name = name,
                    .bytes = bytes,
                    .flops = flops,
                    .tensor_cores = true,
                    .start = std::move(start),
                    .results = std::move(results),
                    .layer = layer_});
  }

  void product(const char* name, const bf16* x, Tensor w, std::optional<Tensor> bias, void* y,
               Leaves leaves, int N, int K, std::vector<Result> results) {
    const float* added = bias ? p_.weights.of(*bias, layer_) : nullptr;
    const HalfLinear l{x, h_.halves + p_.weights.host->begin(w, layer_), added, y, M_, N, K};
    const auto start = by_warpgroups_ ? start_warpgroups : start_pipeline;
    const double out_bytes = leaves == Leaves::floats ? 4 : 2;
    const double bytes = 2.0 * K * (double(M_) + N) + out_bytes * M_ * N;
    push(
        name, bytes, 2.0 * M_ * N * K, [=](cudaStream_t stream) { start(l, leaves, stream); },
        std::move(results));
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
    const bf16* qkv = h_.b;
    bf16* out = h_.a;
    const attention::Extents e{p_.B, p_.T, p_.d().heads};
    const bool causal = p_.flavour.causal, by_warpgroups = by_warpgroups_;
    const double pairs = causal ? e.N() * 0.5 * p_.T * (p_.T + 1.0) : double(e.N()) * p_.T * p_.T;
    push("attention", 8 * numbers(), 4 * pairs * attention::head_size,
         [=](cudaStream_t stream) {
           if (by_warpgroups)
             attention::start_warpgroup_rung(attention::warpgroup_rung_for(e), qkv, out, e,
                                             scale_log2, causal, stream);
           else
             attention::start_warp_products(qkv, out, e, scale_log2, causal, stream);
         },
         {{Stage::attention, nullptr, out}});
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
    product("fc + bias + GELU", h_.a, Tensor::fcw, Tensor::fcb, h_.b,
            p_.flavour.by_erf ? Leaves::halves_after_erf_gelu : Leaves::halves_after_tanh_gelu,
            4 * C_, C_, {{Stage::gelu, nullptr, h_.b}});
    product("fcproj + bias", h_.b, Tensor::fcprojw, Tensor::fcprojb, y, Leaves::floats, C_, 4 * C_,
            {{Stage::fcproj, y}});
    const bool last = layer_ + 1 == p_.d().layers;
    residual(Stage::sum_2, last ? Stage::norm_f : Stage::norm_1,
             last ? w.of(Tensor::lnfw) : w.of(Tensor::ln1w, layer_ + 1),
             last ? w.of(Tensor::lnfb) : w.of(Tensor::ln1b, layer_ + 1));
  }

  bool by_warpgroups_;
  const HalfPass& h_;
  const Pass& p_;
  int M_, C_;
  int layer_ = 0;
  Operations all_;
};

}  // namespace

Operations half_operations_of(HalfRung rung, const HalfPass& pass) {
  return HalfBuilder(rung, pass).whole();
}

Operations half_layers_of(HalfRung rung, const HalfPass& pass) {
  return HalfBuilder(rung, pass).layers();
}

std::vector<bf16> rounded(const std::vector<float>& values) {
  std::vector<bf16> halves;
  halves.reserve(values.size());
  for (const float value : values) halves.push_back(__float2bfloat16(value));
  return halves;
}

HalfPass HalfMemory::of(const Pass& pass, const std::vector<float>& weights) {
  const std::size_t count = std::size_t(pass.rows()) * pass.d().channels;
  const std::vector<bf16> halves = rounded(weights);
  HalfPass half{pass, room(halves.size(), "weights in bf16")};
  memory_.back().copy_from(halves.data(), 2 * halves.size());
  half.a = room(count, "a in bf16");
  half.b = room(4 * count, "b in bf16");
  return half;
}

bf16* HalfMemory::room(std::size_t count, const char* name) {
  return static_cast<bf16*>(memory_.emplace_back(2 * count, name).get());
}

}  // namespace gpt
