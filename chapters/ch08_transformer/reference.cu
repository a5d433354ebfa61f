/// \file
/// The same pass in double: on the host by simple loops, and, for models that are too large for
/// it, on the device by the first rung's kernels.
#include <cuda_bf16.h>

#include <cmath>

#include "base/algorithm.h"
#include "base/parallel.h"
#include "first_layers.h"
#include "gpt.h"

namespace lesson = warpwise::lesson;

namespace gpt {
namespace {

using Numbers = std::vector<double>;

std::size_t at_host(int row, int columns) { return static_cast<std::size_t>(row) * columns; }

/// A model and the rows of one pass, on the host.
struct HostPass {
  const Checkpoint& model;
  Flavour flavour;
  int rows, T;
  const float* of(Tensor tensor, int layer = 0) const {
    return model.values.data() + model.begin(tensor, layer);
  }

  Numbers normalised(const Numbers& x, const float* weight, const float* bias) const {
    const int C = model.dimensions.channels;
    Numbers y(x.size());
    for (std::size_t first = 0; first < x.size(); first += C) {
      double sum = 0, squares = 0;
      for (int c = 0; c < C; ++c) sum += x[first + c];
      for (int c = 0; c < C; ++c) squares += std::pow(x[first + c] - sum / C, 2);
      const double deviation = std::sqrt(squares / C + flavour.epsilon);
      for (int c = 0; c < C; ++c) {
        y[first + c] = (x[first + c] - sum / C) / deviation * weight[c] + bias[c];
      }
    }
    return y;
  }

  Numbers mixed(const Numbers& qkv) const {
    const int C = model.dimensions.channels, H = model.dimensions.heads, d = C / H;
    Numbers out(static_cast<std::size_t>(rows) * C);
    Numbers weight(T);
    for (int row = 0; row < rows; ++row) {
      const int first = row / T * T, end = flavour.causal ? row + 1 : first + T;
      for (int h = 0; h < H; ++h) {
        double largest = -INFINITY, total = 0;
        for (int other = first; other < end; ++other) {
          double score = 0;
          for (int i = 0; i < d; ++i) {
            score +=
                qkv[at_host(row, 3 * C) + h * d + i] * qkv[at_host(other, 3 * C) + C + h * d + i];
          }
          weight[other - first] = score / std::sqrt(d);
          largest = std::max(largest, weight[other - first]);
        }
        for (int other = first; other < end; ++other) {
          const double p = std::exp(weight[other - first] - largest);
          total += p;
          for (int i = 0; i < d; ++i) {
            out[at_host(row, C) + h * d + i] += p * qkv[at_host(other, 3 * C) + 2 * C + h * d + i];
          }
        }
        for (int i = 0; i < d; ++i) out[at_host(row, C) + h * d + i] /= total;
      }
    }
    return out;
  }
};

double gelu(double x, bool by_erf) {
  if (by_erf) return x * std::erfc(-x / std::sqrt(2.0)) / 2;
  return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
}

Numbers rounded(Numbers x) {
  for (double& value : x) {
    value = __bfloat162float(__float2bfloat16(static_cast<float>(value)));
  }
  return x;
}

void add_to(Numbers& x, const Numbers& y) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += y[i];
}

/// Attention of one query and head in double, by a thread. @pre d 64; any launch of B T H threads.
__global__ void mix_double(const double* qkv, double* out, int rows, int T, int H, bool causal) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * H) return;
  constexpr int d = 64;
  const int row = i / H, h = i % H, C = H * d;
  const double* q = qkv + at(row, 3 * C) + h * d;
  double m = -INFINITY, l = 0, o[d] = {};
  const int begin = row / T * T, end = causal ? row + 1 : begin + T;
  for (int other = begin; other < end; ++other) {
    const double *k = qkv + at(other, 3 * C) + C + h * d, *v = k + C;
    double score = 0;
    for (int c = 0; c < d; ++c) score += q[c] * k[c] / 8;
    const double largest = fmax(m, score), factor = exp(m - largest), p = exp(score - largest);
    l = l * factor + p;
    for (int c = 0; c < d; ++c) o[c] = o[c] * factor + p * v[c];
    m = largest;
  }
  for (int c = 0; c < d; ++c) out[at(row, C) + h * d + c] = o[c] / l;
}

}  // namespace

Numbers product_reference(const Numbers& x, const float* w, const float* bias, int N, int K) {
  const int rows = static_cast<int>(x.size() / K);
  Numbers y(static_cast<std::size_t>(rows) * N);
  warpwise::base::in_parallel(rows, warpwise::base::cores(), [&](std::size_t row, std::size_t) {
    for (int n = 0; n < N; ++n) {
      double sum = bias ? bias[n] : 0;
      for (int k = 0; k < K; ++k) sum += x[row * K + k] * w[at_host(n, K) + k];
      y[row * N + n] = sum;
    }
  });
  return y;
}

Activations layers_reference(const Checkpoint& model, const Flavour& flavour, Numbers x, int T,
                             bool rounds) {
  const Dimensions& d = model.dimensions;
  const int C = d.channels;
  const HostPass p{model, flavour, static_cast<int>(x.size() / C), T};
  Activations all;
  for (int l = 0; l < d.layers; ++l) {
    const auto keep = [&](Stage stage, Numbers numbers) -> const Numbers& {
      return all[{l, stage}] = std::move(numbers);
    };
    const auto product = [&](const Numbers& from, Tensor w, Tensor bias, int N, int K) {
      return product_reference(from, p.of(w, l), p.of(bias, l), N, K);
    };
    const Numbers& norm_1 =
        keep(Stage::norm_1, p.normalised(x, p.of(Tensor::ln1w, l), p.of(Tensor::ln1b, l)));
    const Numbers& qkv = keep(Stage::qkv, product(norm_1, Tensor::qkvw, Tensor::qkvb, 3 * C, C));
    const Numbers& mixed =
        keep(Stage::attention, rounds ? rounded(p.mixed(rounded(qkv))) : p.mixed(qkv));
    add_to(x, keep(Stage::attproj, product(mixed, Tensor::attprojw, Tensor::attprojb, C, C)));
    keep(Stage::sum_1, x);
    const Numbers& norm_2 =
        keep(Stage::norm_2, p.normalised(x, p.of(Tensor::ln2w, l), p.of(Tensor::ln2b, l)));
    Numbers hidden = keep(Stage::fc, product(norm_2, Tensor::fcw, Tensor::fcb, 4 * C, C));
    for (double& value : hidden) value = gelu(value, flavour.by_erf);
    keep(Stage::gelu, hidden);
    add_to(x, keep(Stage::fcproj, product(hidden, Tensor::fcprojw, Tensor::fcprojb, C, 4 * C)));
    keep(Stage::sum_2, x);
  }
  all[{0, Stage::norm_f}] = p.normalised(x, p.of(Tensor::lnfw), p.of(Tensor::lnfb));
  return all;
}

Activations reference(const Checkpoint& model, const std::vector<int>& tokens, int T, bool rounds) {
  const Dimensions& d = model.dimensions;
  const int C = d.channels;
  const auto of = [&](Tensor tensor) { return model.values.data() + model.begin(tensor); };
  Numbers x(tokens.size() * C);
  for (std::size_t row = 0; row < tokens.size(); ++row) {
    for (int c = 0; c < C; ++c) {
      x[row * C + c] = double{of(Tensor::wte)[std::size_t(tokens[row]) * C + c]} +
                       of(Tensor::wpe)[row % T * C + c];
    }
  }
  Activations all = layers_reference(model, {}, x, T, rounds);
  all[{0, Stage::embedding}] = std::move(x);
  all[{0, Stage::logits}] =
      product_reference(all.at({0, Stage::norm_f}), of(Tensor::wte), nullptr, d.padded_tokens, C);
  return all;
}

void device_layers(const Pass& pass, double* x, double* a) {
  const Dimensions& d = pass.d();
  const int M = pass.rows(), C = d.channels;
  const std::size_t numbers = std::size_t(M) * C;
  const lesson::DeviceArray<double> b(4 * numbers), y(numbers);
  const auto linear = [&](const double* from, Tensor w, Tensor bias, int layer, double* to, int N,
                          int K) {
    linear_tiles<double><<<dim3(ceil_div(N, tile), ceil_div(M, tile)), dim3(tile, tile)>>>(
        from, pass.weights.of(w, layer), pass.weights.of(bias, layer), to, M, N, K);
  };
  const auto norm = [&](Tensor w, Tensor bias, int layer) {
    norm_block<double><<<M, block_threads>>>(
        x, pass.weights.of(w, layer), pass.weights.of(bias, layer), a, C, pass.flavour.epsilon);
  };
  const auto grid = [](std::size_t count) {
    return static_cast<unsigned>((count + block_threads - 1) / block_threads);
  };
  for (int l = 0; l < d.layers; ++l) {
    norm(Tensor::ln1w, Tensor::ln1b, l);
    linear(a, Tensor::qkvw, Tensor::qkvb, l, b, 3 * C, C);
    mix_double<<<ceil_div(M * d.heads, 64), 64>>>(b, a, M, pass.T, d.heads, pass.flavour.causal);
    linear(a, Tensor::attprojw, Tensor::attprojb, l, y, C, C);
    add<double><<<grid(numbers), block_threads>>>(x, y, numbers);
    norm(Tensor::ln2w, Tensor::ln2b, l);
    linear(a, Tensor::fcw, Tensor::fcb, l, b, 4 * C, C);
    activate<double><<<grid(4 * numbers), block_threads>>>(b, 4 * numbers, pass.flavour.by_erf);
    linear(b, Tensor::fcprojw, Tensor::fcprojb, l, y, C, 4 * C);
    add<double><<<grid(numbers), block_threads>>>(x, y, numbers);
  }
  norm(Tensor::lnfw, Tensor::lnfb, 0);
  lesson::check(cudaGetLastError());
  // b and y are freed at the end: the kernels have to be done with them.
  lesson::check(cudaDeviceSynchronize());
}

std::vector<double> device_reference(const Pass& pass) {
  const Dimensions& d = pass.d();
  const int M = pass.rows(), C = d.channels;
  const lesson::DeviceArray<double> x(std::size_t(M) * C), a(std::size_t(M) * C);
  const lesson::DeviceArray<double> logits(std::size_t(M) * d.padded_tokens);
  embed<double><<<M, 192>>>(pass.tokens, pass.weights.of(Tensor::wte), pass.weights.of(Tensor::wpe),
                            x, pass.T, C);
  device_layers(pass, x, a);
  linear_tiles<double>
      <<<dim3(ceil_div(d.padded_tokens, tile), ceil_div(M, tile)), dim3(tile, tile)>>>(
          a, pass.weights.of(Tensor::wte), nullptr, logits, M, d.padded_tokens, C);
  lesson::check(cudaGetLastError());
  return logits.to_host();
}

}  // namespace gpt
