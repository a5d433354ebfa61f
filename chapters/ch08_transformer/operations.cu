/// \file
/// The operations of each rung: what is launched, in which order, on which buffers.

#include "../ch07_attention/attention_rungs.h"
#include "first_layers.h"
#include "gpt.h"
#include "lesson/cublas.h"
#include "lesson/device/launch.h"
#include "register_linear.h"
#include "row_norms.h"

namespace lesson = warpwise::lesson;

namespace gpt {
namespace {

/// 1 / sqrt(64) times log2(e), for powers of two.
constexpr float scale_log2 = 0.125F * 1.4426950408889634F;

/// Wide products fill the SMs with tiles of 128 x 128; of the narrow ones, 768 outputs, there would
/// be 192 tiles for 132 SMs, so that these take 128 x 64.
using WideTiling = Tiling<128, 128, 16, 64, 64, 8, 16, 2>;
using NarrowTiling = Tiling<128, 64, 16, 64, 32, 8, 8, 3>;
/// Chapter 4's cuts for turned weights.
using WideTurned = AsyncTiles;
using NarrowTurned = NarrowTiles;
constexpr int narrow = 1024;

/// A product with weights and what belongs to it.
struct Linear {
  const char* name;
  Stage stage;
  const float *x, *w, *bias;
  float* y;
  int M, N, K;
};

/// What follows a product in its epilogue, besides the bias.
enum class Epilogue { none, tanh_gelu, erf_gelu };

template <class T, bool with_gelu, bool by_erf>
void launch_registers(const Linear& l, cudaStream_t stream) {
  const dim3 grid(ceil_div(l.N, T::BN), ceil_div(l.M, T::BM));
  linear_registers<T, with_gelu, by_erf>
      <<<grid, T::threads, 0, stream>>>(l.x, l.w, l.bias, l.y, l.M, l.N, l.K);
}

template <bool with_gelu, bool by_erf>
void launch_by_shape(const Linear& l, cudaStream_t stream) {
  l.N <= narrow ? launch_registers<NarrowTiling, with_gelu, by_erf>(l, stream)
                : launch_registers<WideTiling, with_gelu, by_erf>(l, stream);
}

void start_registers(const Linear& l, Epilogue epilogue, cudaStream_t stream) {
  switch (epilogue) {
    case Epilogue::none:
      return launch_by_shape<false, false>(l, stream);
    case Epilogue::tanh_gelu:
      return launch_by_shape<true, false>(l, stream);
    case Epilogue::erf_gelu:
      return launch_by_shape<true, true>(l, stream);
  }
}

/// By chapter 4's tiles, for turned weights.
template <class S, bool with_gelu, bool by_erf>
void launch_turned(const Linear& l, cudaStream_t stream) {
  const bool whole = l.M % S::BM == 0 && l.N % S::BN == 0 && l.K % S::BK == 0;
  const auto kernel = whole ? &linear_turned<S, true, with_gelu, by_erf>
                            : &linear_turned<S, false, with_gelu, by_erf>;
  const lesson::Shape shape{.grid = static_cast<unsigned>(tiles_of<S>(l.M, l.N)),
                            .block = S::threads,
                            .shared_bytes = S::shared_bytes,
                            .stream = stream};
  lesson::bind_launch(reinterpret_cast<const void*>(kernel), shape,
                      std::tuple(l.x, l.w, l.bias, l.y, l.M, l.N, l.K))();
}

template <bool with_gelu, bool by_erf>
void launch_turned_by_shape(const Linear& l, cudaStream_t stream) {
  int sms = 0;
  lesson::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  takes_narrow(l.M, l.N, sms) ? launch_turned<NarrowTurned, with_gelu, by_erf>(l, stream)
                              : launch_turned<WideTurned, with_gelu, by_erf>(l, stream);
}

void start_turned(const Linear& l, Epilogue epilogue, cudaStream_t stream) {
  switch (epilogue) {
    case Epilogue::none:
      return launch_turned_by_shape<false, false>(l, stream);
    case Epilogue::tanh_gelu:
      return launch_turned_by_shape<true, false>(l, stream);
    case Epilogue::erf_gelu:
      return launch_turned_by_shape<true, true>(l, stream);
  }
}

struct Builder {
  const Pass& p;
  Rung rung;
  std::string absent = {};
  Operations all = {};
  int layer = 0;
  /// Older GPUs than sm_80 have no asynchronous copies: there the last rung is the one before.
  bool turns = rung == Rung::turned && attention::compute_capability_major() >= 8;

  int rows() const { return p.rows(); }
  int C() const { return p.d().channels; }
  double numbers(double per_row) const { return per_row * rows(); }

  void push(Operation operation) {
    operation.layer = layer;
    all.push_back(std::move(operation));
  }

  void embedding() {
    const auto [p_, C_] = std::pair(p, C());
    push({.name = "embedding",
          .bytes = 12 * numbers(C()),
          .flops = numbers(C()),
          .start =
              [p_, C_](cudaStream_t stream) {
                embed<<<p_.rows(), 192, 0, stream>>>(p_.tokens, p_.weights.of(Tensor::wte),
                                                     p_.weights.of(Tensor::wpe), p_.buffers.x, p_.T,
                                                     C_);
              },
          .results = {{Stage::embedding, p.buffers.x}}});
  }

  void norm(Stage stage, const float* weight, const float* bias) {
    const float* x = p.buffers.x;
    float* y = p.buffers.a;
    const int count = rows(), columns = C();
    const double epsilon = p.flavour.epsilon;
    Operation operation{.name = "LayerNorm",
                        .bytes = 8 * numbers(C()),
                        .flops = 8 * numbers(C()),
                        .start = {},
                        .results = {{stage, y}}};
    if (rung < Rung::by_shape) {
      operation.start = [=](cudaStream_t stream) {
        norm_block<<<count, block_threads, 0, stream>>>(x, weight, bias, y, columns, epsilon);
      };
    } else {
      with_row([&](auto packs) {
        operation.start = [=](cudaStream_t stream) {
          const lesson::Shape shape = rows::warp_shape(count);
          norm_warp<decltype(packs)::value><<<shape.grid, shape.block, 0, stream>>>(
              x, weight, bias, y, count, columns, static_cast<float>(epsilon));
        };
      });
    }
    push(std::move(operation));
  }

  template <class Use>
  void with_row(const Use& use) {
    if (!rows::with_packs<4>(C(), use)) throw lesson::Stop(lesson::bad_environment, rows::too_wide);
  }

  /// The residual stream takes up y. @param weight of the LayerNorm that follows.
  void residual(Stage sum, Stage norm_stage, const float* weight, const float* bias) {
    float *x = p.buffers.x, *a = p.buffers.a;
    const float* y = p.buffers.y;
    const int count = rows(), columns = C();
    const auto epsilon = static_cast<float>(p.flavour.epsilon);
    if (rung < Rung::fused) {
      const std::size_t all_numbers = std::size_t(count) * columns;
      push({.name = "residual",
            .bytes = 12 * numbers(C()),
            .flops = numbers(C()),
            .start =
                [=](cudaStream_t stream) {
                  add<<<elements_grid(all_numbers), block_threads, 0, stream>>>(x, y, all_numbers);
                },
            .results = {{sum, x}}});
      return norm(norm_stage, weight, bias);
    }
    with_row([&](auto packs) {
      push({.name = "residual + LayerNorm",
            .bytes = 16 * numbers(C()),
            .flops = 9 * numbers(C()),
            .start =
                [=](cudaStream_t stream) {
                  const lesson::Shape shape = rows::warp_shape(count);
                  residual_norm<decltype(packs)::value><<<shape.grid, shape.block, 0, stream>>>(
                      x, y, weight, bias, a, count, columns, epsilon);
                },
            .results = {{sum, x}, {norm_stage, a}}});
    });
  }

  static unsigned elements_grid(std::size_t count) {
    return static_cast<unsigned>((count + block_threads - 1) / block_threads);
  }

  /// cuBLAS has no bias: a kernel of its own adds it.
  std::function<void(cudaStream_t)> by_library(const Linear& l) {
    const lesson::LibraryCall call =
        lesson::cublas_product(lesson::CublasPrecision::fp32, l.M, l.N, l.K, l.x, l.w, l.y,
                               lesson::SecondMatrix::transposed);
    if (!call.launch) absent = call.absent;
    return [l, call](cudaStream_t stream) {
      call.launch();
      const std::size_t count = std::size_t(l.M) * l.N;
      if (l.bias)
        add_bias<<<elements_grid(count), block_threads, 0, stream>>>(l.y, l.bias, count, l.N);
    };
  }

  void linear(const Linear& l, bool gelu = false) {
    const double M = l.M, N = l.N, K = l.K;
    Operation operation{.name = l.name,
                        .bytes = 4 * (M * K + N * K + M * N),
                        .flops = 2 * M * N * K,
                        .launches = rung == Rung::cublas && l.bias ? 2 : 1,
                        .start = {},
                        .results = {{l.stage, l.y}}};
    const bool fuses = gelu && rung >= Rung::fused;
    if (rung == Rung::first) {
      operation.start = [l](cudaStream_t stream) {
        const dim3 grid(ceil_div(l.N, tile), ceil_div(l.M, tile));
        linear_tiles<<<grid, dim3(tile, tile), 0, stream>>>(l.x, l.w, l.bias, l.y, l.M, l.N, l.K);
      };
    } else if (rung == Rung::cublas) {
      operation.start = by_library(l);
    } else {
      const Epilogue gelu_form = p.flavour.by_erf ? Epilogue::erf_gelu : Epilogue::tanh_gelu;
      const auto start_product = turns ? start_turned : start_registers;
      operation.start = [=, epilogue = fuses ? gelu_form : Epilogue::none](cudaStream_t stream) {
        start_product(l, epilogue, stream);
      };
    }
    if (fuses) operation.name += " + GELU", operation.results = {{Stage::gelu, l.y}};
    push(std::move(operation));
    if (gelu && !fuses) activation(l.y, std::size_t(l.M) * l.N);
  }

  void activation(float* y, std::size_t count) {
    const bool by_erf = p.flavour.by_erf;
    push({.name = "GELU",
          .bytes = 8.0 * static_cast<double>(count),
          .flops = 10.0 * static_cast<double>(count),
          .start =
              [=](cudaStream_t stream) {
                activate<<<elements_grid(count), block_threads, 0, stream>>>(y, count, by_erf);
              },
          .results = {{Stage::gelu, y}}});
  }

  void mix() {
    const attention::Extents e{p.B, p.T, p.d().heads};
    const float* qkv = p.buffers.b;
    float* out = p.buffers.a;
    const bool causal = p.flavour.causal;
    const double pairs = causal ? e.N() * 0.5 * p.T * (p.T + 1.0) : double(e.N()) * p.T * p.T;
    const auto run = rung >= Rung::attention ? attention::start_tiles : attention::start_online;
    push({.name = "attention",
          .bytes = 16 * numbers(C()),
          .flops = 4 * pairs * attention::head_size,
          .start = [=](cudaStream_t stream) { run(qkv, out, e, scale_log2, causal, stream); },
          .results = {{Stage::attention, out}}});
  }

  const float* weight(Tensor tensor) const { return p.weights.of(tensor, layer); }
  /// Of a product.
  const float* matrix(Tensor tensor) const {
    return turns ? p.weights.turned_of(tensor, layer) : weight(tensor);
  }

  /// From a normalised row in a to the next normalised row in a.
  void whole_layer() {
    const Buffers<float>& to = p.buffers;
    const int M = rows();
    linear({"qkv + bias", Stage::qkv, to.a, matrix(Tensor::qkvw), weight(Tensor::qkvb), to.b, M,
            3 * C(), C()});
    mix();
    linear({"attproj + bias", Stage::attproj, to.a, matrix(Tensor::attprojw),
            weight(Tensor::attprojb), to.y, M, C(), C()});
    residual(Stage::sum_1, Stage::norm_2, weight(Tensor::ln2w), weight(Tensor::ln2b));
    linear({"fc + bias", Stage::fc, to.a, matrix(Tensor::fcw), weight(Tensor::fcb), to.b, M,
            4 * C(), C()},
           true);
    linear({"fcproj + bias", Stage::fcproj, to.b, matrix(Tensor::fcprojw), weight(Tensor::fcprojb),
            to.y, M, C(), 4 * C()});
    const bool last = layer + 1 == p.d().layers;
    residual(Stage::sum_2, last ? Stage::norm_f : Stage::norm_1,
             last ? p.weights.of(Tensor::lnfw) : p.weights.of(Tensor::ln1w, layer + 1),
             last ? p.weights.of(Tensor::lnfb) : p.weights.of(Tensor::ln1b, layer + 1));
  }

  void layers() {
    norm(Stage::norm_1, weight(Tensor::ln1w), weight(Tensor::ln1b));
    for (layer = 0; layer < p.d().layers; ++layer) whole_layer();
    layer = 0;
  }

  void whole_pass() {
    embedding();
    layers();
    linear({"logits", Stage::logits, p.buffers.a, matrix(Tensor::wte), nullptr, p.buffers.logits,
            rows(), p.d().padded_tokens, C()});
  }
};

}  // namespace

const char* name_of(Rung rung) {
  switch (rung) {
    case Rung::first:
      return "first version";
    case Rung::cublas:
      return "cuBLAS and a bias kernel";
    case Rung::by_shape:
      return "own products by shape";
    case Rung::fused:
      return "fused neighbours";
    case Rung::attention:
      return "fused attention";
    case Rung::turned:
      return "weights turned once";
  }
  return "";
}

Operations layers_of(Rung rung, const Pass& pass, std::string& absent) {
  Builder builder{pass, rung};
  builder.layers();
  absent = builder.absent;
  return absent.empty() ? builder.all : Operations{};
}

Operations operations_of(Rung rung, const Pass& pass, std::string& absent) {
  Builder builder{pass, rung};
  builder.whole_pass();
  absent = builder.absent;
  return absent.empty() ? builder.all : Operations{};
}

void start(const Operations& operations, cudaStream_t stream) {
  for (const Operation& operation : operations) {
    operation.start(stream);
    lesson::check(cudaGetLastError());
  }
}

}  // namespace gpt
